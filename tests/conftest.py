"""Here so that pytest puts this folder on the path: its helpers serve the tests of all packages."""
