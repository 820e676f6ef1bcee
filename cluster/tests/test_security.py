"""Passwords and TLS of the store and of the scheduler; entries that others have forged."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import BINARY, PROCEDURES, Dask, Redis, finish, free_port, fresh, plain, settled, single, start

CERTIFICATES = """
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem \\
  -addext basicConstraints=critical,CA:TRUE
openssl req -newkey rsa:2048 -nodes -subj /CN=us -keyout us.key -out us.csr
printf 'subjectAltName=IP:127.0.0.1\\n' > names
openssl x509 -req -days 2 -in us.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names -out us.pem
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout o.key -out other.pem \\
  -addext basicConstraints=critical,CA:TRUE
"""


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority, a certificate of it, and another authority."""
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run(["sh", "-e", "-c", CERTIFICATES], cwd=folder, capture_output=True, check=True)
    return folder


def test_a_store_that_does_not_let_us_in_is_refused(code: Path, dask: Dask) -> None:
    server = Redis(code, "--requirepass", "secret")
    at = ("--scheduler", dask.at)
    try:
        for store, expected in (
            (server.at, "it wants a password"),
            (server.at.replace("127", ":wrong@127"), "it does not"),
        ):
            exit_code, err = finish(start(code, store, *at))
            assert exit_code == 2 and "is refused" in err and expected in err, err
            assert "wrong" not in err and "Traceback" not in err, err
            assert not (code / "out/report.json").exists()
        # The password of the client's environment goes to workers, and to no command line.
        exit_code, err = finish(start(code, server.at, *at, TRELLIS_REDIS_PASSWORD="secret"))
        assert exit_code == 1 and "warning" not in err and "secret" not in err, err
        exit_code, err = finish(start(code, server.at.replace("127", ":secret@127"), *at))
        assert exit_code == 1 and fresh(code) == 0 and "secret" not in err, err
    finally:
        server.kill()


def test_everything_with_tls(code: Path, certificates: Path) -> None:
    def file(name: str) -> str:
        return str(certificates / name)

    port = free_port()
    tls = ["--tls-port", str(port), "--tls-cert-file", file("us.pem"), "--tls-key-file", file("us.key")]
    server = Redis(code, *tls, "--tls-ca-cert-file", file("ca.pem"), "--requirepass", "secret", tls_port=port)
    servers = Dask(
        code, "--tls-ca-file", file("ca.pem"), "--tls-cert", file("us.pem"), "--tls-key", file("us.key"),
        scheme="tls",
    )
    store = f"rediss://:secret@127.0.0.1:{port}/0?ca={file('ca.pem')}"
    ours = f"&cert={file('us.pem')}&key={file('us.key')}"

    def begin(ca: str, at: str) -> tuple[int, str]:
        words = ["--tls-ca", file(ca), "--tls-cert", file("us.pem"), "--tls-key", file("us.key")]
        return finish(start(code, at, "--scheduler", servers.at, *words))

    try:
        exit_code, err = begin("ca.pem", store + ours)
        assert exit_code == 1 and "warning" not in err, err
        assert settled(code / "out/report.json") == single(code)
        assert sum(p.get("cached", False) for p in plain(code, store + ours)[0]) == PROCEDURES
        # Who does not show a certificate, or trusts another authority, has no store and no scheduler.
        for bad in (store, (store + ours).replace("ca.pem", "other.pem")):
            exit_code, err = begin("ca.pem", bad)
            assert exit_code == 2 and "is refused" in err and "secret" not in err, err
        exit_code, err = begin("other.pem", store + ours)
        assert exit_code == 2 and "does not let us in" in err and "secret" not in err, err
    finally:
        server.kill()
        servers.kill()


def seal(key: str, content: str) -> str:
    """The entry that the binary would have made of a content: everyone can do that."""
    digest = hashlib.sha256()
    for text in ("procedure", "1", key, content):
        digest.update(len(text.encode()).to_bytes(8, "little") + text.encode())
    return f"trellis-entry-1 procedure 1 {digest.hexdigest()}\n{content}"


def test_nothing_is_verified_without_its_evidence(code: Path, redis: Redis, dask: Dask) -> None:
    plain(code, redis.at)
    entries = {}
    for name in redis.cli("--scan", "--pattern", "trellis:procedure:*").split():
        key = name.rsplit(":", 1)[1]
        content = redis.cli("GET", name).rstrip("\n").split("\n", 1)[1]
        assert redis.cli("GET", name).rstrip("\n") == seal(key, content)
        entries[name] = json.loads(content)
    proof = next(e["answer"]["evidence"] for e in entries.values() if e["answer"]["evidence"])

    def verified(entry: dict) -> None:
        entry["answer"]["report"]["verdict"] = "verified"

    def with_other_evidence(entry: dict) -> None:
        verified(entry)
        entry["answer"]["evidence"] = proof

    def without_evidence(entry: dict) -> None:
        verified(entry)
        entry["answer"]["evidence"] = None

    def with_empty_evidence(entry: dict) -> None:
        verified(entry)
        entry["answer"]["evidence"] = {}

    def with_less_of_it(entry: dict) -> None:
        verified(entry)
        evidence = dict(proof)
        evidence["procedure"] = entry["procedure"]
        evidence["checks"] = []
        entry["answer"]["evidence"] = evidence

    forgeries: list[Callable[[dict], None]] = [
        without_evidence, with_other_evidence, with_empty_evidence, with_less_of_it,
    ]
    for number, (name, entry) in enumerate(sorted(entries.items())):
        forgeries[number % len(forgeries)](entry)
        subprocess.run(
            ["redis-cli", "-p", str(redis.port), "-x", "SET", name], check=True, capture_output=True,
            input=seal(name.rsplit(":", 1)[1], json.dumps(entry)).encode(),
        )
    exit_code, err = finish(start(code, redis.at, "--scheduler", dask.at))
    assert exit_code == 1, err
    assert settled(code / "out/report.json") == single(code)
    own = sum(1 for e in entries.values() if e["answer"]["evidence"] == proof and e["procedure"] == proof["procedure"])
    assert PROCEDURES - own <= fresh(code) <= PROCEDURES


def test_entries_of_others_are_none_where_ours_are_signed(code: Path, redis: Redis, dask: Dask) -> None:
    at = ("--scheduler", dask.at)
    exit_code, err = finish(start(code, redis.at, *at, TRELLIS_CACHE_KEY="too short"))
    assert exit_code == 2 and "is refused" in err and "too short" not in err, err
    ours = {"TRELLIS_CACHE_KEY": "nobody can guess this"}
    exit_code, err = finish(start(code, redis.at, *at, **ours))
    assert exit_code == 1 and fresh(code) == PROCEDURES, err
    names = sorted(redis.cli("--scan", "--pattern", "trellis:procedure:*").split())
    assert len(names) == PROCEDURES
    # One is under the key of another, and one is from somebody without the secret.
    redis.cli("COPY", names[0], names[1], "REPLACE")
    content = json.dumps({"answer": "verified"})
    subprocess.run(
        ["redis-cli", "-p", str(redis.port), "-x", "SET", names[2]], check=True, capture_output=True,
        input=seal(names[2].rsplit(":", 1)[1], content).encode(),
    )
    exit_code, err = finish(start(code, redis.at, *at, **ours))
    assert exit_code == 1 and fresh(code) == 2, err
    assert settled(code / "out/report.json") == single(code)
    # Who has no secret does not read what is signed, and the other way round.
    exit_code, err = finish(start(code, redis.at, *at))
    assert exit_code == 1 and fresh(code) == PROCEDURES, err
    exit_code, err = finish(start(code, redis.at, *at, **ours))
    assert exit_code == 1 and fresh(code) == PROCEDURES, err


def test_entries_of_other_keys_and_versions_are_none(code: Path, redis: Redis) -> None:
    plain(code, redis.at)
    names = sorted(redis.cli("--scan", "--pattern", "trellis:procedure:*").split())
    for number in range(0, 30, 2):
        redis.cli("COPY", names[number], names[number + 1], "REPLACE")
    old = redis.cli("GET", names[-1]).rstrip("\n").replace("procedure 1 ", "procedure 0 ", 1)
    redis.cli("SET", names[-1], old)
    procedures, _ = plain(code, redis.at)
    assert sum(not p.get("cached", False) for p in procedures) == 16
    # Nor are those that were found with other options.
    words = [BINARY, "verify", "--separately", "code", "--format", "json", "--no-check", "leak"]
    done = subprocess.run(
        words, cwd=code, env={**os.environ, "TRELLIS_CACHE": redis.at}, capture_output=True, text=True, check=False
    )
    files = json.loads(done.stdout)["files"]
    assert not any(p.get("cached") for file in files for p in file["procedures"])
