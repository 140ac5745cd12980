from requests import get

# ruleid: starred-argument
submit(*jobs)
# ruleid: starred-argument
submit(**options)
# ok: starred-argument
submit(job=one)
# ruleid: only-starred
configure(**options)
# ok: only-starred
configure()
# ruleid: nothing-more
resize(1)
# ok: nothing-more
resize(1, **options)


# ruleid: starred-parameter
def opened(name, **rest):
    return name


# ok: starred-parameter
def closed(name, *rest):
    return name


# ruleid: from-its-module
get(address, verify=False)
# ok: from-its-module
get(address, verify=True)


def choose(short):
    column = "a" if short else "b"
    # ok: one-of-several-texts
    select(column)
    # ruleid: one-of-several-texts
    select(short)


# ruleid: formatted-without-fields
show(f"plain")
# ok: formatted-without-fields
show("plain")
last = -1
# ruleid: negative
seek(last)
# ok: negative
seek(1)
# ruleid: any-dict
table = {"a": 1}
# ok: any-dict
table = [1]
# ruleid: type-of-constant
measure("text")
# ok: type-of-constant
measure(5)
# ruleid: a-name-that-is-read
hand_over(passphrase)
# ok: a-name-that-is-read
hand_over(form.passphrase, passphrase=5)
# ruleid: two-places
encode(1, token(2))
# ok: two-places
token(2)
# ruleid: not-propagated, propagated-call
digest(state(1))
kept = state(2)
# ok: not-propagated
# ruleid: propagated-call
digest(kept)
