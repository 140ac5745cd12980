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
