@echo off
rem Windows. Double-click this file, or: install.bat
setlocal
cd /d "%~dp0"
set PYTHONUTF8=1
where py >nul 2>nul
if errorlevel 1 goto plain
py -@PYTHON@ install.py %*
goto end
:plain
python install.py %*
:end
set CODE=%ERRORLEVEL%
pause
exit /b %CODE%
