# ruleid: v2-all
v2_call(a)
# ok: v2-all
v2_call(1)
def safe():
    # ok: v2-all
    v2_call(a)
# ruleid: v2-any
v2_a(1)
# ruleid: v2-any
v2_b(1)
# ok: v2-any
v2_c(1)
# ruleid: v2-where
v2_key(5)
# ok: v2-where
v2_key(50)
# ruleid: v2-focus
v2_send(bad_thing, 1)
# ok: v2-focus
v2_send(good, 1)
# ruleid: v2-taint
v2_sink(v2_source())
# ok: v2-taint
v2_sink(v2_clean(v2_source()))
