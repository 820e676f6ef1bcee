"""The command line of ``trellis-cluster``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from pathlib import Path

import dask
import psutil
from distributed import Client, LocalCluster
from distributed.security import Security

from .client import verify
from .crew import Unfinished
from .request import Request
from .work import Refused

# Options of `trellis verify` that are ours to give.
OURS = ("--proc", "--list", "--merge", "--format", "--html", "--watch", "--threads", "--timeout", "--cache")

# What Dask looks at all the time, and nobody asks for where a worker waits for a process.
LEAN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.client.heartbeat": "10s",
    "distributed.client.scheduler-info-interval": "10s",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trellis-cluster",
        description="Verify a code base on a Dask cluster. Options of `trellis verify` follow `--`.",
        epilog="0, 1 or 3 as `trellis verify`; 2 if the run is refused or cannot be finished.",
    )
    parser.add_argument("sources", nargs="+", help="C files, folders, a compile_commands.json")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--local", type=_count, metavar="N", help="N workers on this machine (default: one a core)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler: tcp://, tls://")
    where.add_argument("--scheduler-file", metavar="FILE", help="the file that a Dask scheduler has written")
    parser.add_argument("--tls-ca", metavar="FILE", help="whom to trust, for tls://")
    parser.add_argument("--tls-cert", metavar="FILE", help="who we are, for tls://")
    parser.add_argument("--tls-key", metavar="FILE", help="the key of --tls-cert")
    parser.add_argument(
        "--cache", metavar="STORE", help="as `trellis verify --cache`: a folder, redis://, rediss://"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("trellis-report"), metavar="DIR", help="where reports go (%(default)s)"
    )
    parser.add_argument("--html", action="store_true", help="write report.html as well")
    parser.add_argument(
        "--timeout", type=_seconds, default=60.0, metavar="SECONDS", help="the budget of a procedure (%(default)g)"
    )
    parser.add_argument(
        "--patience", type=_seconds, default=300.0, metavar="SECONDS",
        help="how long to go on while there is no worker (%(default)g)",
    )
    parser.add_argument(
        "--silence", type=_seconds, default=60.0, metavar="SECONDS",
        help="how long a process may say nothing beyond the budget of a procedure (%(default)g)",
    )
    parser.add_argument("--binary", default="trellis", help="the binary, on every worker (%(default)s)")
    parser.add_argument("--quiet", action="store_true", help="no progress, no dashboard")
    return parser


def _count(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of workers")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of seconds")
    return seconds


def _security(given: argparse.Namespace) -> Security | None:
    if given.tls_ca is None:
        if given.tls_cert or given.tls_key:
            raise Refused("--tls-cert and --tls-key need --tls-ca")
        if given.scheduler and given.scheduler.startswith("tls://"):
            raise Refused("a scheduler at tls:// needs --tls-ca, --tls-cert and --tls-key")
        return None
    if given.scheduler and not given.scheduler.startswith("tls://"):
        raise Refused("--tls-ca is for schedulers at tls://")
    for file in (given.tls_ca, given.tls_cert, given.tls_key):
        if file is None or not Path(file).is_file():
            raise Refused(f"there is no file `{file}` of TLS" if file else "--tls-cert and --tls-key are needed")
    return Security(
        tls_ca_file=given.tls_ca, tls_client_cert=given.tls_cert,
        tls_client_key=given.tls_key, require_encryption=True,
    )


def _await_file(path: Path, seconds: float) -> None:
    """Waits for the file of a scheduler; Dask itself would wait forever."""
    end = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > end:
            raise FileNotFoundError(f"there is no file `{path}`")
        time.sleep(0.1)


def _connect(given: argparse.Namespace) -> tuple[Client, LocalCluster | None, int]:
    """The client, the cluster if it is ours, and how many processes it runs at once."""
    security = _security(given)
    if given.scheduler or given.scheduler_file:
        at = given.scheduler or given.scheduler_file
        wait = min(given.patience, 10.0)
        try:
            if given.scheduler:
                client = Client(given.scheduler, security=security, timeout=wait)
            else:
                _await_file(Path(given.scheduler_file), wait)
                client = Client(scheduler_file=given.scheduler_file, security=security, timeout=wait)
        except (OSError, TimeoutError, ValueError) as why:
            raise Refused(f"the scheduler {at} does not let us in: {why}") from why
        return client, None, sum(client.nthreads().values())
    workers = given.local or os.cpu_count() or 1
    dask.config.set(LEAN)
    # A worker waits for a process, so a thread of ours is enough for one. What Dask serves besides is
    # for this machine only, which without an address it is not.
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=False, memory_limit=0,
        dashboard_address="127.0.0.1:0", worker_dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": not given.quiet}, silence_logs=logging.CRITICAL,
    )
    return Client(cluster), cluster, workers


def _end_processes() -> None:
    """Ends the processes that our own workers have left behind when a run was given up."""
    for process in psutil.Process().children():
        try:
            process.kill()
        except psutil.NoSuchProcess:
            pass


def main(arguments: list[str] | None = None) -> int:
    """0, 1 or 3 as `trellis verify`; 2 if the run is refused or cannot be finished."""
    words = sys.argv[1:] if arguments is None else arguments
    at = words.index("--") if "--" in words else len(words)
    options = words[at + 1 :]
    given = _parser().parse_args(words[:at])
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    cluster = None
    try:
        for option in options:
            if option.split("=")[0] in OURS:
                raise Refused(f"`{option}` cannot follow `--`: see `trellis-cluster --help`")
        request = Request(
            binary=given.binary, sources=given.sources, options=options, cache=given.cache,
            out=given.out.absolute(), html=given.html, timeout=given.timeout, silence=given.silence,
            progress=not given.quiet, patience=given.patience,
        )
        client, cluster, workers = _connect(given)
        with client:
            if not given.quiet:
                at = f"http://127.0.0.1:{cluster.scheduler.http_server.port}/status" if cluster else client.dashboard_link
                print(f"dashboard: {at}", file=sys.stderr, flush=True)
            return verify(client, request, workers, cluster is not None)
    except (Refused, Unfinished, OSError, TimeoutError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 2
    finally:
        if cluster is not None:
            cluster.close()
            _end_processes()


if __name__ == "__main__":
    sys.exit(main())
