#!/usr/bin/env bash
# Makes a plain Debian or Ubuntu image ready to grade: a Python, a virtual environment with pinned packages,
# and the course in a folder that root alone can read.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
source=/autograder/source
home=/opt/autograder

usable_python() {
    for python in python3 python3.13 python3.12 python3.11; do
        if "$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
            2>/dev/null; then
            echo "$python"
            return
        fi
    done
    return 1
}

if ! python=$(usable_python); then
    apt-get update
    apt-get install -y --no-install-recommends python3 python3-venv
    if ! python=$(usable_python); then
        apt-get install -y --no-install-recommends python3.11 python3.11-venv
        python=python3.11
    fi
fi

"$python" -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet --no-cache-dir -r "$source/requirements.txt" -c "$source/requirements.pins.txt"
package=$(mktemp -d)
cp "$source/requirements.autograder.whl" "$package/@WHEEL@"
"$home/venv/bin/pip" install --quiet --no-index --no-deps "$package/@WHEEL@"

(umask 077 && mkdir -p "$home/course" && "$python" -m zipfile -e "$source/requirements.course.zip" "$home/course")
chmod -R go= "$source" "$home/course"
rm -rf "$source/requirements.course.zip" "$package"
