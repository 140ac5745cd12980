# Sourced by the commands beside it: makes .venv hold exactly what a lock file says.
#
#   root=...                     the checkout
#   environment requirements.txt
#
# The second and later runs only compare the lock file with its installed copy (about 1 ms).

say() { printf 'vetbox: %s\n' "$*" >&2; }

die() { say "$*"; exit 2; }

# The first interpreter that is new enough and can make environments. The versions the tests run on,
# with wheels for every dependency, come before whatever `python3` happens to be.
find_python() {
    for candidate in ${VETBOX_PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
        if "$candidate" -I -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    die "needs Python 3.11 or newer with venv; install it, or name it in VETBOX_PYTHON"
}

# mkdir is the one atomic test-and-set that every POSIX system has; the pid tells a stale lock.
take_lock() {
    waited='' refused=0
    until refusal=$(mkdir "$lock" 2>&1); do
        [ -e "$lock" ] || refused=$((refused + 1))  # or its holder was done just now
        [ "$refused" -lt 3 ] || die "cannot set up $venv: $refusal"
        holder=$(cat "$lock/pid" 2>/dev/null || true)
        if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
            rm -rf "$lock"
            continue
        fi
        [ -n "$waited" ] || [ ! -e "$lock" ] || say "waiting for another set-up of $venv"
        waited=yes
        sleep 1
    done
    echo $$ >"$lock/pid"
    trap 'rm -rf "$lock"' EXIT
    trap 'exit 130' INT TERM HUP
}

install() {
    python=$(find_python) || exit 2
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" || die "could not create $venv"
    "$venv/bin/python" -I -m pip install -qq --disable-pip-version-check \
        --require-hashes -r "$1" >&2 || die "could not install $1; is the package registry reachable?"
    "$venv/bin/python" -I -m pip install -qq --disable-pip-version-check \
        --no-deps --no-build-isolation --editable "$root" >&2 || die "could not install vetbox itself"
    cp "$1" "$stamp"
}

# The developers' lock holds all that the users' does.
installed() {
    [ -x "$venv/bin/python" ] || return
    cmp -s "$root/$1" "$venv/$1" || cmp -s "$root/requirements-dev.txt" "$venv/requirements-dev.txt"
} 2>/dev/null

environment() {
    venv=$root/.venv lock=$root/.venv.lock stamp=$root/.venv/$1
    installed "$1" && return
    take_lock
    if ! installed "$1"; then
        say "setting up $venv from $1 (once, about a minute)"
        install "$root/$1"
        say "ready"
    fi
    rm -rf "$lock"
    trap - EXIT INT TERM HUP
}
