@echo off
rem Windows. Double-click this file: JupyterLab opens in the browser.
cd /d "%~dp0"
set PYTHONUTF8=1
.venv\Scripts\python.exe -m jupyterlab --notebook-dir=project\course %*
if errorlevel 1 pause
