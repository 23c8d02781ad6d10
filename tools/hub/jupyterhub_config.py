"""A JupyterHub for this course, as a department runs it: see docs/hub.md.

    jupyterhub -f tools/hub/jupyterhub_config.py

Everybody with an account on the machine may log in and has a server of their own. Instructors,
named in BERT_INSTRUCTORS, find Formgrader in theirs. Copy this file and change it; what comes from
the environment is what the tests change.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BIN = Path(sys.prefix) / "bin"
INSTRUCTORS = set(os.environ.get("BERT_INSTRUCTORS", "").split())
# nbgrader's exchange, a folder that everybody may write into: mkdir -p it, chmod 777 it.
EXCHANGE = os.environ.get("BERT_EXCHANGE", "/srv/nbgrader/exchange")
# The course's id, which is also the name of the class folder in the instructor's home.
COURSE = os.environ.get("BERT_COURSE", "bert")

c = get_config()  # noqa: F821 (JupyterHub provides it)

# Behind a web server with a certificate. Elsewhere, JupyterHub's own documentation says how.
c.JupyterHub.bind_url = os.environ.get("BERT_HUB_URL", "http://127.0.0.1:8000")

# Who may come in: every account of the machine, by PAM. Universities mostly take OAuth or LDAP.
c.Authenticator.allow_all = True
c.Authenticator.admin_users = INSTRUCTORS

c.Spawner.cmd = [str(BIN / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = 180
c.Spawner.http_timeout = 180
# One student's endless loop must not slow down the room. Spawners that have a say enforce both
# (systemd, Docker, Kubernetes); the plain one, for one machine, only tells the server.
c.Spawner.mem_limit = "4G"
c.Spawner.cpu_limit = 2.0
# TensorFlow takes all the cores it sees otherwise.
_THREADS = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
_PATH = f"{BIN}:{os.environ.get('PATH', '')}"


def prepare(spawner):
    """What a user finds: the exchange, and for instructors Formgrader and the course's folder."""
    is_instructor = spawner.user.name in INSTRUCTORS
    settings = [str(HERE / "everybody")]
    if not is_instructor:
        settings.insert(0, str(HERE / "students"))
    spawner.environment.update(
        {
            **dict.fromkeys(_THREADS, "2"),
            "PATH": _PATH,
            "JUPYTER_CONFIG_PATH": ":".join(settings),
            "BERT_EXCHANGE": EXCHANGE,
            "BERT_COURSE": COURSE,
            "BERT_CLASS": COURSE if is_instructor else "",
        }
    )


c.Spawner.pre_spawn_hook = prepare
# Servers that nobody has used for an hour end, and with them what they hold in memory.
_IDLE = BIN / "jupyterhub-idle-culler"
if _IDLE.exists():
    c.JupyterHub.services = [{"name": "idle", "command": [str(_IDLE), "--timeout=3600"]}]
    c.JupyterHub.load_roles = [
        {
            "name": "idle",
            "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
            "services": ["idle"],
        }
    ]
