"""nbgrader's settings for everybody on the hub; jupyterhub_config.py says where things are."""

import os
from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = os.environ["BERT_COURSE"]
c.Exchange.root = os.environ["BERT_EXCHANGE"]
# Where students find fetched work: in their home.
c.Exchange.assignment_dir = str(Path.home())
if os.environ["BERT_CLASS"]:
    c.CourseDirectory.root = str(Path.home() / os.environ["BERT_CLASS"])
