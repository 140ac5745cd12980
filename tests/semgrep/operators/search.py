# ruleid: pattern
fetch(url)
# ok: pattern
fetch(url, 1)
# ruleid: either
get(a)
# ruleid: either
post(a)
# ok: either
put(a)
# ruleid: conjunction
call(a)
# ok: conjunction
other(a)
# ruleid: not
load(name)
# ok: not
load("name")
with handle:
    # ruleid: inside
    close(handle)
    # ok: inside
    close(other_handle)
if check(a):
    # ok: not-inside
    write(a)
    # ruleid: not-inside
    write(b)
# ruleid: metavariable-regex
drop_table(a)
# ok: metavariable-regex
make_drop_table(a)
# ruleid: focus
send(a, secret, b)
# ok: focus
send(a, b)
# ruleid: metavariable-pattern
sink(f(danger) + 1)
# ok: metavariable-pattern
sink(f(safe) + 1)
# ruleid: comparison
key(bits=1024)
SMALL = 512
# ruleid: comparison
key(bits=SMALL)
# ok: comparison
key(bits=4096)
# ruleid: analysis
password = "x8Kq2LpZ0vRt7"
# ok: analysis
password = "aaaa"
from jobs import Job
job = Job()
# ruleid: type
job.run()
# ok: type
thread.run()
# ruleid: raw-regex
x = 1  # TICKET-123
# ok: raw-regex
x = 1  # TICKET
# ruleid: not-regex
label("new")
