#!/bin/sh
# Linux and macOS. Usage: sh install.sh
cd "$(dirname "$0")" || exit 1
wanted=$(sed -n 's/.*"python": "\([0-9.]*\)".*/\1/p' manifest.json | head -n 1)
for python in "python$wanted" python3 python; do
    if command -v "$python" >/dev/null 2>&1 &&
        "$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != sys.argv[1])' "$wanted"
    then
        exec "$python" install.py "$@"
    fi
done
echo "Python $wanted is needed and was not found. Install it, then run this again." >&2
echo "需要 Python ${wanted}，没有找到。请先安装，再运行一次。" >&2
exit 2
