#!/bin/sh
# Runs pytest as an unprivileged user, for root: tests/as_user.sh [PYTEST ARGUMENTS]
#
# Python, its packages and the checkout often lie where no other user may go (/root). So all three are laid out anew
# under /var/tmp: Python and the packages as hard links, which cost nothing, the checkout's tracked and new files as
# copies that belong to the user. The user is made once and is called "autograder-tests".
set -eu

user=autograder-tests
checkout=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$checkout/.venv/bin/python}
[ "$(id -u)" = 0 ] || { echo "as_user.sh: run me as root; as any other user call pytest itself" >&2; exit 2; }
id "$user" >/dev/null 2>&1 || useradd --create-home --shell /usr/sbin/nologin "$user"

place=$(mktemp -d /var/tmp/as-user-XXXXXX)
trap 'rm -rf "$place"' EXIT INT TERM
chmod 755 "$place"
base=$("$python" -c 'import sys; print(sys.base_prefix)')
venv=$("$python" -c 'import sys; print(sys.prefix)')
cp -al "$base" "$place/python" 2>/dev/null || cp -a "$base" "$place/python"
cp -al "$venv" "$place/venv" 2>/dev/null || cp -a "$venv" "$place/venv"
name=$(basename "$(readlink -f "$venv/bin/python")")
rm -f "$place"/venv/bin/python* "$place"/venv/pyvenv.cfg
printf 'home = %s\ninclude-system-site-packages = false\n' "$place/python/bin" > "$place/venv/pyvenv.cfg"
ln -s "$place/python/bin/$name" "$place/venv/bin/python"
packages=$("$place/venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
rm -f "$packages"/_editable_impl_autograder.pth
echo "$place/course" > "$packages/autograder_under_test.pth"

mkdir "$place/course" "$place/tmp"
cd "$checkout"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
    tar --extract --directory "$place/course"
chown -R "$user" "$place/course" "$place/tmp"

cd "$place/course"  # and Python with its own shared library, not the system's of nearly the same version
env -i PATH="$place/venv/bin:/usr/bin:/bin" LD_LIBRARY_PATH="$place/python/lib" HOME="$place/tmp" TMPDIR="$place/tmp" PYTHONDONTWRITEBYTECODE=1 LANG=C.UTF-8 \
    setpriv --reuid "$user" --regid "$user" --clear-groups python -m pytest -p no:cacheprovider "$@"
