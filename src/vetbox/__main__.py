"""`python -m vetbox` is the `vetbox` command."""

from vetbox.cli import main

if __name__ == "__main__":
    main()
