"""python -m tests.bench.snippets: what validate_python_code takes for code of 1 to 60 lines."""

import ast
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.corpus import corpus
from vetbox.validation import validate_python_code

SNIPPETS = 300
MAX_LINES = 60
ROUNDS = 9


def main() -> None:
    found = list(snippets(corpus()))[:SNIPPETS]
    validate_python_code("exec(x)")  # loads rules and parser
    times = sorted(best_ms(code) for code in found)
    quantiles = statistics.quantiles(times, n=100)
    print(f"{len(found)} snippets of up to {MAX_LINES} lines, best of {ROUNDS} each, ms:")
    print(f"  p50 {quantiles[49]:.3f}  p90 {quantiles[89]:.3f}  p99 {quantiles[98]:.3f}")


def snippets(folder: Path) -> Iterator[str]:
    """Functions of real code: the first short one of every 20th file."""
    for path in sorted(folder.rglob("*.py"))[::20]:
        tree = ast.parse(path.read_bytes())
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno < MAX_LINES:
                yield ast.unparse(node)
                break


def best_ms(code: str) -> float:
    return min(_once(code) for _ in range(ROUNDS)) * 1000


def _once(code: str) -> float:
    started = time.perf_counter()
    validate_python_code(code)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
