"""Running a term: people, due dates and late days, and who has come how far.

Importing this package loads neither Keras nor nbgrader, on any system.
"""
