"""Trellis on a Dask cluster.

* ``request``: what is to be verified, as command lines of the binary
* ``plan``: which programs go together, which go first, which are split
* ``work``: what a worker does: one process of the binary
* ``crew``: processes on workers, gathered as they end
* ``client``: the run, and the report that the binary makes of its answers
* ``generate``: a code base of any size, for tests and measurements
* ``measure``, ``compare``, ``simulate``: what things cost, and from that what many workers would do

Nothing of a report is made here: the binary lists (``verify --list``), answers
(``--format answers``) and merges (``--merge``).
"""
