"""Faults that public reports tell of and the posts do not have, and code that only looks wrong.

Each is a donor for the corrected program of the family where it can stand, with an oracle and the
reports' addresses. The families' catalogues take them in, so that
``model.faults.alpha_per_pixel=true`` switches one on.
"""
