# ok: label
call_home(secret())
# ok: label
call_home(address())
# ruleid: label
call_home(secret() + address())
key = secret()
place = address()
# ruleid: label
call_home(place, key)


def sends(first, second):
    # ruleid: label
    call_home(first, second)


def sends_home(first):
    # ok: label
    call_home(first, first)


sends(key, place)
sends_home(key)
# ok: label-of-a-label
post(letter())
text = letter()
envelope = sealed(text)
# ruleid: label-of-a-label
post(envelope)
# ok: label-of-a-label
post(sealed("a constant"))
marked = stamped() + text
# ok: label-of-a-label
post(sealed(marked))


def seals(what):
    return sealed(what)


# ruleid: label-of-a-label
post(seals(text))
# ok: label-of-a-label
post(seals(stamped()))
# ok: label-of-a-label
post(seals(1))


def posts(what):
    # ruleid: label-of-a-label
    post(sealed(what))


def posts_stamped(what):
    # ok: label-of-a-label
    post(sealed(what))


posts(text)
posts_stamped(stamped() + text)
# ruleid: label-denied
admit(guest())
# ok: label-denied
admit(member())
# ok: label-denied
admit(guest() + member())
# ok: label-denied
admit("nobody")
# ruleid: label-that-is-not-said
keep(nameless())
# ok: label-that-is-not-said
keep(named())
# ruleid: label-that-is-not-said
keep_named(named())
# ok: label-that-is-not-said
keep_named(nameless())


def blotch():
    cloth = linen()
    both = ink() + paint()
    stain(both, cloth)
    # ruleid: label-propagated
    wash_ink(cloth)
    # ruleid: label-propagated
    wash_paint(cloth)


def brush():
    cloth = linen()
    only = paint()
    stain(only, cloth)
    # ok: label-propagated
    wash_paint(cloth)


def wait():
    cloth = linen()
    both = ink() + paint()
    dry(both, cloth)
    # ok: label-propagated
    wash_ink(cloth)
    # ruleid: label-propagated
    wash_paint(cloth)
    # ruleid: label-propagated
    sand(cloth)


def fire():
    tile = clay()
    both = ink() + paint()
    bake(both, tile)
    # ok: label-propagated
    wash_ink(tile)
    # ok: label-propagated
    wash_paint(tile)
    # ruleid: label-propagated
    glaze(tile)


def dries(wet):
    wall = bricks()
    dry(wet, wall)
    # ruleid: label-propagated
    sand(wall)


def dries_nothing(wet):
    wall = bricks()
    dry(wet, wall)
    # ok: label-propagated
    sand(wall)


dries(ink())
dries_nothing("water")
# ok: side-effect-of-a-source
drink(cup)
fill(cup)
# ruleid: side-effect-of-a-source
drink(cup)
water = pond()
# ruleid: side-effect-of-a-sanitizer
swallow(water)
boil(water)
# ok: side-effect-of-a-sanitizer
swallow(water)


def handle(what, more=1):
    # ruleid: parameter-in-focus
    relay(what)
    # ruleid: parameter-in-focus
    relay(more)
    what = 1
    # ok: parameter-in-focus
    relay(what)
