import numpy as np
from database import open_db
from flask import jsonify, request
from werkzeug.utils import redirect
# ruleid: text-beside-code
dial(7)
# ok: text-beside-code
dial(8)
# ruleid: text-denied-beside-code
ring("loud")
# ok: text-denied-beside-code
ring("quiet")
# ruleid: text-denied-beside-text
code_green = 1
# ok: text-denied-beside-text
code_red = 2
# ruleid: text-of-a-metavariable
note("memo to all")
# ok: text-of-a-metavariable
note('memo to all')
# ok: text-of-a-metavariable
note(memo)


# ruleid: text-within-a-metavariable
def test():
    pass


# ok: text-within-a-metavariable
def best():
    pass


# ruleid: text-not-within-a-metavariable
say("hello")
# ok: text-not-within-a-metavariable
say("hush now")
# ruleid: comparison-of-two
pair(3, 4)
# ok: comparison-of-two
pair(3, 5)
# ok: comparison-of-two
pair(1, 4)
# ok: comparison-of-two
pair(unknown, 4)
# ruleid: comparison-of-texts
name("a")
# ruleid: comparison-of-texts
name("zz")
# ok: comparison-of-texts
name("c")
# ruleid: comparison-of-a-number-in-quotes
port("80")
# ruleid: comparison-of-a-number-in-quotes
port(80)
# ok: comparison-of-a-number-in-quotes
port("8080")


# ruleid: focus-on-what-is-around
def entry(one):
    pass


# ok: focus-on-what-is-around
def other(one):
    pass


# ruleid: only-async
async def early():
    await late(1)


# ok: only-async
async def never():
    pass


# ruleid: decorated-with-or-without-arguments
@route
def home():
    pass


# ruleid: decorated-with-or-without-arguments
@route("/")
def page():
    pass


# ok: decorated-with-or-without-arguments
@other.route
def nowhere():
    pass


# ruleid: bare-handler
try:
    risk()
except:
    pass
# ok: bare-handler
try:
    risk()
except ValueError:
    pass
# ruleid: name-as-it-is-written
request.args.get("x")
# ruleid: name-as-it-is-written
np.load("x")
# ruleid: name-as-it-is-written
jsonify(1)
# ruleid: name-as-it-is-written
redirect("x")
# ok: name-as-it-is-written
other.args.get("x")
db1 = open_db()
# ruleid: name-as-it-is-written-around
db1.close()
file1 = open_db()
# ok: name-as-it-is-written-around
file1.close()

# ruleid: name-that-begins-otherwise
break_door()
# ok: name-that-begins-otherwise
open_door()
# ok: name-that-begins-otherwise
break_window()
