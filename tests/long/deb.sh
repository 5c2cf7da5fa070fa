#!/usr/bin/env bash
# The Debian packages on a minimal Debian (a chroot that debootstrap makes): installed, used as docs/ says, removed. Needs root, a
# mirror, and some minutes; the chroot is kept in COSTAB_DEBIAN (default: costab-debian in TMPDIR or /var/tmp). Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
skip_all() { echo "1..0 # SKIP $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip_all 'only root can make a chroot'
command -v dpkg-buildpackage >/dev/null || skip_all 'dpkg-dev is not installed'
command -v debootstrap >/dev/null || skip_all 'debootstrap is not installed'

base=${COSTAB_DEBIAN:-${TMPDIR:-/var/tmp}/costab-debian}
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^ *#' | grep -oE '(https?|file)://[^ ]*' | head -n 1)
if [ ! -x "$base/bin/dpkg" ]; then
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$base.new" "${mirror:-http://deb.debian.org/debian}" >"$work/out" 2>&1 &&
        mv "$base.new" "$base" || { tail -n 3 "$work/out" | sed 's/^/# /'; skip_all 'debootstrap found no mirror'; }
fi
root=$work/root
at_end() { umount -l "$root/proc" 2>/dev/null || :; }
cp -a "$base" "$root"
mount -t proc proc "$root/proc" 2>/dev/null
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d
cp -a /etc/apt/sources.list* /etc/apt/apt.conf.d "$root/etc/apt/" 2>/dev/null
for f in /etc/apt/auth.conf.d /usr/local/share/ca-certificates /etc/ssl/certs; do
    [ ! -e "$f" ] || { mkdir -p "$root$f" && cp -a "$f/." "$root$f/"; }
done
inside() { # command...: in the chroot, with nothing of this environment but the way to the mirror
    # shellcheck disable=SC2046
    env -i $(env | grep -iE '^(https?|no)_proxy=') HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive chroot "$root" /bin/bash -c "cd /try && $*" >"$work/out" 2>"$work/err" </dev/null
}

if ! ls "$project"/build/deb/*.deb >"$work/out" 2>/dev/null || [ -n "$(find "$project/src" "$project/include" -newer "$project/build/deb/build.log" -type f)" ]; then
    make -C "$project" deb DEPS=skip >"$work/out" 2>"$work/err"
    ok $? 'make deb'
fi
lintian --allow-root --fail-on error "$project"/build/deb/*.changes >"$work/err" 2>&1
ok $? 'lintian has no errors'
mkdir "$root/try" && cp "$project"/build/deb/*.deb "$root/try/"
awk '/^```/ { if (name) close(name); name = $0 == "```yaml" ? "spec" ++n ".yaml" : $0 == "```c" ? "program.c" : $0 == "```python" ? "part" ++p ".py" : ""; next }
    name { print > (folder "/" name) }' folder="$root/try" "$project"/docs/{how-to/{planar,own-model,python},reference/c-api}.md
(cd "$root/try" && mv "$(grep -l 'system: planar' spec*.yaml)" zigzag.yaml && mv "$(grep -l '^title: Motor' spec*.yaml)" drive.yaml)

inside apt-get -qq update && inside 'apt-get -qq install -y ./costab_*.deb ./libcostab1_*.deb'
ok $? 'apt-get installs the program and its library, with what they need'
inside costab classify --a 0.5 --gamma -2 --delta 3 --scheme cross
ok $? 'docs: one point'
grep -q '^cross,rk4,1,0.5,-2,3,2.296875,1.843994140625,1.3579374.*,,SU,det' "$work/out"
ok $? 'it is the one that docs/how-to/planar.md prints'
inside 'costab sweep zigzag.yaml && costab plot zigzag.h5 && costab info zigzag.h5' && [ -s "$root/try/zigzag.pdf" ]
ok $? 'docs: a chart, drawn with the gnuplot that the package recommends'
inside 'costab limit drive.yaml --over H=0.0005:0.5' && grep -q '^jacobi,H,0.0005,0.0158639377757' "$work/out"
ok $? 'docs: the largest stable step of a network'
inside 'costab sweep /usr/share/costab/sweeps/kns2014/fig04.yaml && zcat /usr/share/man/man1/costab.1.gz | grep -q "^.TH COSTAB"'
ok $? 'an example of the package; the man page'
inside '. /usr/share/bash-completion/completions/costab && complete -p costab'
ok $? 'the completion'

inside 'apt-get -qq install -y --no-install-recommends ./libcostab-dev_*.deb gcc libc6-dev pkg-config'
ok $? 'apt-get installs the development files'
# shellcheck disable=SC2016
inside 'gcc program.c -o program $(pkg-config --cflags --libs costab) && ./program' && grep -q '^SS, spectral radius 0\.' "$work/out"
ok $? 'docs: the C program'
# shellcheck disable=SC2016
inside 'gcc /usr/share/doc/libcostab-dev/examples/limit.c -o limit $(pkg-config --cflags --libs costab) && ./limit drive.yaml H 0.001 0.1' &&
    grep -q '^0.001' "$work/out"
ok $? 'an example of the package'

inside 'apt-get -qq install -y ./python3-costab_*.deb'
ok $? 'apt-get installs the Python module'
inside 'cd / && python3 -c "import costab; print(costab.__file__, costab.planar.classify(0.5, -2, 3, \"cross\"))"' &&
    grep -q '^/usr/lib/python3/dist-packages/costab/__init__.py 2$' "$work/out"
ok $? 'import costab'
# shellcheck disable=SC2016
inside 'python3 "$(grep -l "^drive = " part*.py)"' && tail -n 1 "$work/out" | grep -q '^77\.883'
ok $? "docs: the section Python, with the xarray that the package recommends"

inside 'apt-get -qq purge -y costab libcostab1 libcostab-dev python3-costab'
ok $? 'apt-get removes them'
find "$root" -xdev \( -path "$root/try" -o -path "$root/proc" -o -path "$root/dev" -o -path "$root/var/log" -o -path "$root/var/lib/apt" \
    -o -path "$root/var/cache" \) -prune -o -name '*costab*' -print >"$work/err"
[ ! -s "$work/err" ]
ok $? 'and nothing of them is left'
finish
