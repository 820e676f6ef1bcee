"""What fails in the middle of a run: workers, the store, the scheduler, processes, other clients."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path

import psutil
import pytest

from conftest import (
    PROCEDURES, Dask, Proxy, Redis, answered, finish, fresh, plain, procedures, processes_of, script, settled,
    single, start,
)

POISONED = """#!/bin/sh
# A process that is to look at `poison` dies.
case " $* " in
    *" --list "*|*" --merge "*) ;;
    *poison.c*" --proc "*|*" --proc "*poison.c*)
        case " $* " in *" --proc poison "*) kill -9 $$ ;; esac ;;
    *poison.c*) kill -9 $$ ;;
esac
exec {binary} "$@"
"""


HANGING = """#!/bin/sh
# A process that is to look at `hang` says nothing any more.
case " $* " in
    *" --list "*|*" --merge "*) ;;
    *hang.c*" --proc "*|*" --proc "*hang.c*)
        case " $* " in *" --proc hang "*) exec sleep 1000 ;; esac ;;
    *hang.c*) exec sleep 1000 ;;
esac
exec {binary} "$@"
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_is_killed_or_hangs(code: Path, redis: Redis, gated: Path, how: signal.Signals) -> None:
    servers = Dask(code, workers=2, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="5s")
    try:
        run = start(code, redis.at, "--scheduler", servers.at, binary=gated)
        answered(run)
        servers.workers[0].send_signal(how)
        (code / "gate").touch()
        exit_code, err = finish(run)
        assert exit_code == 1, err
        assert settled(code / "out/report.json") == single(code)
    finally:
        servers.kill()


def test_a_process_of_a_local_worker_is_killed(code: Path, redis: Redis, gated: Path) -> None:
    run = start(code, redis.at, "--local", "2", binary=gated)
    answered(run)
    waiting = processes_of(run)
    assert 1 <= len(waiting) <= 2, waiting
    for process in waiting:
        process.kill()
    (code / "gate").touch()
    exit_code, err = finish(run)
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)


def test_a_local_cluster_that_is_interrupted_leaves_no_process(code: Path, gated: Path) -> None:
    run = start(code, "", "--local", "2", binary=gated)
    answered(run)
    listening = [c.laddr.ip for c in psutil.Process(run.pid).net_connections("inet") if c.status == "LISTEN"]
    assert set(listening) <= {"127.0.0.1"}, listening
    waiting = processes_of(run)
    run.send_signal(signal.SIGINT)
    exit_code, err = finish(run)
    assert exit_code == 2 and "interrupted" in err, err
    assert 0 < len(procedures(code)) < PROCEDURES
    psutil.wait_procs(waiting, timeout=20)
    assert waiting and not any(process.is_running() for process in waiting)


def test_a_process_that_hangs_is_noticed(code: Path, redis: Redis, dask: Dask) -> None:
    (code / "code/hang.c").write_text("int hang(int x) { return x; }\nint good(int x) { return x; }\n")
    binary = script(code, HANGING)
    brief = ("--silence", "5", "--timeout", "5")
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at, *brief, binary=binary))
    assert exit_code == 2 and "no answer about code/hang.c:hang: nothing was heard" in err, err
    names = {p["name"] for p in procedures(code)}
    assert "good" in names and "hang" not in names and len(names) > PROCEDURES / 2


def test_a_slow_store_costs_time_and_a_silent_one_is_left_alone(code: Path, redis: Redis, dask: Dask) -> None:
    expected = single(code)
    for delay, warned, entries in ((0.1, False, PROCEDURES), (float("inf"), True, 0)):
        redis.cli("FLUSHALL")
        proxy = Proxy(redis.port, delay)
        try:
            exit_code, err = finish(start(code, proxy.at, "--scheduler", dask.at))
            assert exit_code == 1 and ("warning: the cache" in err) == warned, err
            assert settled(code / "out/report.json") == expected
            assert int(redis.cli("DBSIZE")) == entries
        finally:
            proxy.close()


def test_redis_goes_and_comes(code: Path, redis: Redis, dask: Dask, gated: Path) -> None:
    run = start(code, redis.at, "--scheduler", dask.at, binary=gated)
    answered(run)
    redis.kill()
    (code / "gate").touch()
    exit_code, err = finish(run)
    assert exit_code == 1 and "warning: the cache" in err, err
    expected = single(code)
    assert settled(code / "out/report.json") == expected
    # The next run begins without the server, which comes back in its middle.
    (code / "first").rmdir()
    (code / "gate").unlink()
    run = start(code, redis.at, "--scheduler", dask.at, binary=gated)
    answered(run)
    redis.start()
    (code / "gate").touch()
    exit_code, err = finish(run)
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == expected
    assert 0 < int(redis.cli("DBSIZE")) < PROCEDURES


def test_a_full_store_and_garbage_in_it(code: Path, redis: Redis, dask: Dask) -> None:
    plain(code, redis.at)
    keys = redis.cli("--scan", "--pattern", "trellis:procedure:*").split()
    assert len(keys) == PROCEDURES
    for number, key in enumerate(sorted(keys)):
        if number % 3 == 0:
            redis.cli("SETRANGE", key, "200", "garbage")
        elif number % 3 == 1:
            redis.cli("SET", key, "x")
        else:
            redis.cli("DEL", key)
            redis.cli("LPUSH", key, "no string")
    redis.cli("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction")
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at))
    assert exit_code == 1 and fresh(code) == PROCEDURES, err
    assert "warning: the cache cannot be used" in err, err
    assert settled(code / "out/report.json") == single(code)
    # There is room again: what is no string is in the way of nothing but itself.
    redis.cli("CONFIG", "SET", "maxmemory", "0")
    plain(code, redis.at)
    assert sum(p.get("cached", False) for p in plain(code, redis.at)[0]) == PROCEDURES


def test_two_clients_at_once(code: Path, redis: Redis, dask: Dask) -> None:
    runs = [start(code, redis.at, "--scheduler", dask.at, out=out) for out in ("one", "two")]
    ended = [finish(run) for run in runs]
    assert [exit_code for exit_code, _ in ended] == [1, 1], ended
    expected = single(code)
    assert [settled(code / out / "report.json") for out in ("one", "two")] == [expected] * 2


def test_two_clients_do_not_write_one_report(code: Path, dask: Dask, gated: Path) -> None:
    run = start(code, "", "--scheduler", dask.at, binary=gated)
    answered(run)
    exit_code, err = finish(start(code, "", "--scheduler", dask.at))
    assert exit_code == 2 and "another run writes to" in err, err
    (code / "gate").touch()
    exit_code, err = finish(run)
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)


def test_the_scheduler_is_lost(code: Path, redis: Redis, gated: Path) -> None:
    servers = Dask(code)
    try:
        run = start(code, redis.at, "--scheduler", servers.at, binary=gated)
        answered(run)
        servers.scheduler.kill()
        exit_code, err = finish(run)
        assert exit_code == 2 and "the scheduler is lost" in err, err
        kept = len(procedures(code))
        assert f"{kept} procedures are in" in err and 0 < kept < PROCEDURES, err
        report = json.loads((code / "out/report.json").read_text())
        said = [d["message"] for file in report["files"] for d in file["diagnostics"]]
        assert report["exit_code"] == 2 and len(report["files"]) == len(list((code / "code").iterdir()))
        assert len([text for text in said if "has no answer" in text]) == sum(
            not file["procedures"] for file in report["files"]
        )
    finally:
        (code / "gate").touch()
        servers.kill()
    again, _ = plain(code, redis.at)
    assert sum(p.get("cached", False) for p in again) >= kept


def test_no_worker_comes(code: Path) -> None:
    servers = Dask(code, "--scheduler-file", str(code / "scheduler.json"), workers=0)
    try:
        at = ("--scheduler-file", "scheduler.json")
        exit_code, err = finish(start(code, "", *at, "--patience", "1"))
        assert exit_code == 2 and "there was no worker for 1 s" in err, err
    finally:
        servers.kill()


def test_what_kills_its_process_costs_nobody_else(code: Path, redis: Redis, dask: Dask) -> None:
    expected = json.loads(single(code))
    shutil.copy(code / "code" / expected["files"][0]["file"].removeprefix("code/"), code / "code/zz.c")
    (code / "code/poison.c").write_text("int poison(int x) { return x; }\nint good(int x) { return x; }\n")
    binary = script(code, POISONED)
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at, binary=binary))
    assert exit_code == 2 and "no answer about code/poison.c:poison: " in err, err
    report = json.loads(settled(code / "out/report.json"))
    files = {file["file"]: file for file in report["files"]}
    poisoned = files["code/poison.c"]
    assert [p["name"] for p in poisoned["procedures"]] == ["good"]
    assert poisoned["diagnostics"][0]["message"] == "`poison` has no answer: the run was not finished"
    assert [files[f["file"]] for f in expected["files"]] == expected["files"]
