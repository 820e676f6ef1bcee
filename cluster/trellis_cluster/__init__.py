"""Trellis on a Dask cluster.

* ``work``: what a worker does: one process of the binary
* ``plan``: which procedures go together, and which go first
* ``client``: lists, submits, gathers, and lets the binary put the answers together
* ``generate``: a code base of any size, for tests and measurements
* ``simulate``: what many workers would do, from measured figures

Nothing of a report is made here: the binary lists (``verify --list``), answers
(``--format answers``) and merges (``--merge``).
"""
