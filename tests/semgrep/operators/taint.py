a = user_input()
# ruleid: basic
shell("ls " + a)
# ok: basic
shell("ls")
w = web()
# ruleid: sanitized
page(w)
# ok: sanitized
page(escape(w))
r = raw()
# ruleid: cleaned-in-place
store(r)
scrub(r)
# ok: cleaned-in-place
store(r)
@tool
def work(name):
    # ruleid: parameter
    act(name)
    # ok: parameter
    act("constant")
t = taint_it()
# ok: propagated
leak(u)
copy_into(t, u)
# ruleid: propagated
leak(u)
