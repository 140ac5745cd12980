from limits import CEILING

# ruleid: two-targets
a = b = make_two()
# ok: two-targets
a = make_two()
# ok: two-targets
a = b = c = make_two()
# ruleid: one-of-the-targets
known = account.secret = "x"
# ruleid: one-of-the-targets
account.secret, count = "x", 2
# ok: one-of-the-targets
count, account.secret = "x", 2
# ruleid: value-of-its-own
a, b = make_it(1), 2
# ok: value-of-its-own
a, *b = make_it, (1), 2
# ruleid: starred-target
a, *b = make_pair()
# ok: starred-target
a, *b, c = make_pair()
# ruleid: gap-among-targets
a, b, c = make_some()
# ok: gap-among-targets
a = make_some()
# ruleid: walrus-in-brackets
chunk = read_it()
# ruleid: walrus-in-brackets
while chunk := read_it():
    pass
# ok: walrus-in-brackets
read_it()
# ruleid: match-case
match user.role:
    case "guest":
        pass
    case "admin":
        pass
# ok: match-case
match user.role:
    case "guest":
        pass
# ruleid: match-any-case
match command_of(line):
    case stop:
        run_it(stop)
# ok: match-any-case
match command_of(line):
    case stop:
        run_it(line)
# ruleid: keywords-as-such
take_rest(1, a=2, **options)
# ok: keywords-as-such
take_rest(**{"a": 1})
# ok: keywords-as-such
take_rest(*options, a=1)


# ruleid: decorated-without-call
@cached()
def one():
    return 1


# ok: decorated-without-call
@cached(5)
def two():
    return 2


# ruleid: handler-of-groups
try:
    grouped()
except* ValueError:
    pass
# ruleid: finally-asked-for
try:
    finishing()
finally:
    pass
# ok: finally-asked-for
try:
    finishing()
except ValueError:
    pass


def three():
    # ruleid: yielded
    yield a
    # ok: yielded
    yield from a


def four():
    # ruleid: global-name
    global a, b
    # ok: global-name
    a, b = 1, 2


# ruleid: loaded-module
from wire import tap
# ruleid: loaded-module
from wire.tap.near import one
# ok: loaded-module
from wire import tape
# ruleid: imported-name
import cable.tap
# ruleid: imported-name
from cable.tap.near import one
# ok: imported-name
import cable
# ruleid: imported-as
import line as wire
# ok: imported-as
from line import wire
# ruleid: imported-from-anywhere
from .sibling import one
# ruleid: imported-from-anywhere
from nearby import two
# ok: imported-from-anywhere
from faraway import two
# ruleid: several-indices
grid[1, 2]
# ok: several-indices
table[1, 2]
# ruleid: starred-element
listed([1, *rest])
# ok: starred-element
listed([*rest])
# ruleid: typed-argument
run_text("ls", 1)
# ok: typed-argument
run_text(1, "ls")
# ruleid: attribute-of-another
CEILING
# ok: attribute-of-another
other.limits.CEILING
