"""The command line of ``trellis-cluster``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from distributed import Client, LocalCluster
from distributed.security import Security

from .client import Request, Unfinished, verify
from .work import Refused


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trellis-cluster",
        description="Verify a code base on a Dask cluster. Options of `trellis verify` follow `--`.",
    )
    parser.add_argument("sources", nargs="+", help="C files, folders, a compile_commands.json")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--local", type=int, metavar="N", help="N workers on this machine")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler: tcp://, tls://")
    parser.add_argument("--tls-ca", metavar="FILE", help="whom to trust, for tls://")
    parser.add_argument("--tls-cert", metavar="FILE", help="who we are, for tls://")
    parser.add_argument("--tls-key", metavar="FILE", help="the key of --tls-cert")
    parser.add_argument("--cache", metavar="STORE", help="as `trellis verify --cache`")
    parser.add_argument("--out", type=Path, default=Path("trellis-report"), metavar="DIR")
    parser.add_argument("--html", action="store_true", help="write report.html as well")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds a procedure")
    parser.add_argument("--binary", default="trellis", help="the binary, on every worker")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """0, 1 or 3 as `trellis verify`; 2 if the run is refused or cannot be finished."""
    words = sys.argv[1:] if arguments is None else arguments
    at = words.index("--") if "--" in words else len(words)
    options = words[at + 1 :]
    given = _parser().parse_args(words[:at])
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    request = Request(
        binary=given.binary, sources=given.sources, options=options, cache=given.cache,
        out=given.out.absolute(), html=given.html, timeout=given.timeout, progress=not given.quiet,
    )
    security = None
    if given.tls_ca:
        security = Security(
            tls_ca_file=given.tls_ca, tls_client_cert=given.tls_cert,
            tls_client_key=given.tls_key, require_encryption=True,
        )
    cluster = None
    try:
        if given.scheduler:
            client = Client(given.scheduler, security=security, timeout=10)
            workers = sum(client.nthreads().values())
        else:
            workers = given.local or os.cpu_count() or 1
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
                if given.quiet else "127.0.0.1:0",
            )
            client = Client(cluster)
        if not given.quiet:
            print(f"dashboard: {client.dashboard_link}", file=sys.stderr)
        with client:
            return verify(client, request, workers)
    except (Refused, Unfinished, OSError, TimeoutError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    finally:
        if cluster is not None:
            cluster.close()


if __name__ == "__main__":
    sys.exit(main())
