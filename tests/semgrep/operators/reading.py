PORT = 80
# ruleid: default-is-no-value
listen_on(PORT)


def serve(port=80):
    # ok: default-is-no-value
    listen_on(port)


# ruleid: into-definitions
app = Service(__name__)


def main():
    app.serve(debug=True)


# ok: into-definitions
other = Service(__name__)


def quiet():
    other.serve()


# ruleid: within-nested-definitions
def outer():
    # ruleid: within-nested-definitions
    def inner():
        hand_out(1)


# ok: within-nested-definitions
def alone():
    return outer


# ruleid: variable-by-its-name
hot_wire = 1
# ruleid: variable-by-its-name
hold(hot_wire)
# ok: variable-by-its-name
hold(hot_wire=1)


# ok: variable-by-its-name
def hold_all(hot_wire):
    # ruleid: variable-by-its-name
    hold(hot_wire)


def handler(payload, context):
    # ruleid: event-of-a-handler
    spill(payload["a"])
    payload = 1
    # ruleid: event-of-a-handler
    spill(payload)


def other_handler(payload):
    # ok: event-of-a-handler
    spill(payload)


# ruleid: member-of-the-class-itself
class Wide(Frame):
    size = "wide"


# ok: member-of-the-class-itself
class Narrow(Frame):
    def resize(self):
        size = "narrow"
        return size


# ruleid: name-is-no-text
same_twice(a, a)
# ok: name-is-no-text
same_twice(a, "a")
# ok: module-is-no-expression
from tower.bell import ring
# ok: module-is-no-expression
import tower.bell
# ruleid: module-is-no-expression
tower.bell


# ruleid: around-and-nothing-else
def lonely():
    return 1


# ok: around-and-nothing-else
def alone_as_well():
    return 1


water = muddy()
with filtered():
    # ok: cleaned-within
    pour(1, water)
pour(
    1,
    # ruleid: cleaned-within
    water,
)
