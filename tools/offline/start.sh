#!/bin/sh
# Linux and macOS: JupyterLab opens in the browser.
cd "$(dirname "$0")" || exit 1
exec .venv/bin/python -m jupyterlab --notebook-dir=project/course "$@"
