"""Nine small computations, timed by themselves: a program that prints JSON of name to ms."""

MICRO = """
import json, re, time

def primes():
    sieve = bytearray([1]) * 20_000
    for n in range(2, 142):
        if sieve[n]:
            sieve[n * n :: n] = bytes(len(range(n * n, 20_000, n)))
    return sum(sieve)

def collatz():
    longest = 0
    for start in range(1, 300):
        n, steps = start, 0
        while n != 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        longest = max(longest, steps)
    return longest

def mandelbrot():
    inside = 0
    for row in range(24):
        for column in range(24):
            c = complex(column / 12 - 1.5, row / 12 - 1)
            z, count = 0j, 0
            while abs(z) < 2 and count < 20:
                z, count = z * z + c, count + 1
            inside += count == 20
    return inside

def ackermann(m=2, n=9):
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))

TEXT = "the quick brown fox jumps over the lazy dog and runs away " * 60

def words():
    counts = {}
    for word in TEXT.split():
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

def pattern():
    return len(re.findall(r"\\\\b([a-z])[a-z]*([aeiou])[a-z]*\\\\b", TEXT))

RECORDS = [{"id": i, "name": f"row {i}", "tags": ["a", "b"], "price": i / 7} for i in range(300)]

def document():
    return json.loads(json.dumps(RECORDS))[-1]["id"]

class Vector:
    __slots__ = "x", "y"
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

def objects():
    total = Vector(0, 0)
    for i in range(3_000):
        total = total + Vector(i, -i)
    return total.x

def generators():
    squares = (n * n for n in range(6_000))
    return sum(s for s in squares if s % 3 == 1)

def least(function):
    times = []
    for _ in range(12):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3

ALL = primes, collatz, mandelbrot, ackermann, words, pattern, document, objects, generators
print(json.dumps({function.__name__: least(function) for function in ALL}))
""".replace("\\\\", "\\")
