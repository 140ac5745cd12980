# ruleid: call-gap
spawn(cmd, env=e, shell=True)
# ok: call-gap
spawn(cmd, shell=False)
# ruleid: argument-metavariable
join(a, b, last)
# ok: argument-metavariable
join(last, a)
# ruleid: statements
handle = open_it(name)
if ready:
    use(handle)
# ok: statements
other = open_it(name)
# ruleid: assignment
thing: Thing = make(1)
# ok: assignment
make(1)
# ruleid: definition
def serve(host, debug=True, port=1):
    return host
# ok: definition
def serve_quietly(host, debug=False):
    return host
# ruleid: class
class Mine(Base):
    x = 1
# ok: class
class Yours(Other):
    x = 1
# ruleid: any-text
greet("hello")
# ok: any-text
greet(name)
# ruleid: text-metavariable
run_sql("DROP TABLE x")
# ok: text-metavariable
run_sql("SELECT 1")
# ruleid: formatted
query(f"select {name} from t")
# ok: formatted
query("select 1")
# ruleid: decorator
@route("/x")
def view(request):
    return request
# ruleid: legacy-regex
env("SECRET_KEY")
# ok: legacy-regex
env("HOME")
# ruleid: compound
try:
    go()
except ValueError:
    pass
# ok: compound
try:
    go()
except ValueError:
    log()
# ruleid: deep
deep(wrap(1, user.secret))
# ok: deep
deep(user)
# ruleid: import
from telnet import Telnet
# ok: import
import ssh
# ruleid: chain
builder().a(1).b[0].unsafe()
# ok: chain
builder().safe()
import net
client = net.Client()
# ruleid: typed
client.go()
# ok: typed
horse.go()
from shapes import draw as d
# ruleid: equivalence
d(circle)
# ok: equivalence
draw(circle)
MODE = "w"
# ruleid: constants
open_mode(MODE)
# ok: constants
open_mode("r")
# ruleid: container
tags([a, b], {"k": 1, "j": 2})
# ok: container
tags([], {"j": 2})
# ruleid: dictionary
m = {"role": "system", "name": "n", "content": text}
# ok: dictionary
m = {"role": "user", "content": text}
# ruleid: keyword-order
order(b=2, a=1)
# ok: keyword-order
order(a=2, b=2)
link = connect()
# ruleid: symbolic
link.drop(table)
# ok: symbolic
chain.drop(table)

copy_over(
    # ruleid: focus-on-each
    here,
    # ruleid: focus-on-each
    there,
)
