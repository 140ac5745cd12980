# ruleid: whole-block
while waiting:
    poll()
# ok: whole-block
while waiting:
    poll()
    sleep(1)
# ruleid: any-block
if ready:
    begin()
    go_on()
# ok: any-block
if steady:
    begin()
# ruleid: member
class Account:
    limit = 3

    def unlock(self, secret):
        return secret
# ok: member
class Door:
    def unlock(self, key):
        return key
# ruleid: keyword-of-class
class Plugin(Base, metaclass=Registry):
    pass
# ok: keyword-of-class
class Plain(Base):
    pass
if a == b:
    pass
# ruleid: elif
elif a.b == a.b:
    pass
# ok: elif
elif a.b == a.c:
    pass
if calm:
    # ruleid: not-in-elif
    launch()
elif armed:
    # ok: not-in-elif
    launch()
# ruleid: else-of-elif
if first:
    pass
elif second:
    pass
# ok: else-of-elif
if first:
    pass
# ruleid: unnamed-handler
try:
    work()
except Broken:
    pass
# ok: unnamed-handler
try:
    work()
except Broken as why:
    pass
# ok: unnamed-handler
try:
    work()
except Broken:
    pass
finally:
    rest()
# ruleid: any-handler
try:
    recoverable()
except:
    again()
# ok: any-handler
try:
    recoverable()
finally:
    again()
# ruleid: walrus
while (line := read_line(source)) != "":
    print(line)
# ok: walrus
while read_line(source):
    pass
# ruleid: named-manager
with table as held:
    print(held)
# ok: named-manager
if table:
    print(held)
# ruleid: submodule
import telemetry.client
# ok: submodule
import telemetry_client
# ruleid: relative
from . import hidden
# ok: relative
from . import shown


def leave(early):
    if early:
        # ruleid: bare-return
        return
    # ok: bare-return
    raise ValueError
