import os

# ruleid: alias-of-patterns
# ok: alias-inside
os.system("ls")


def view(request):
    # ruleid: alias-of-patterns, alias-inside
    os.popen(request.path)
    # ok: alias-of-patterns, alias-inside
    os.getenv("HOME")
