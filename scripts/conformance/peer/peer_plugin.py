"""A plugin of pytest: tokens of the platform in place of the suite's own, and a line of JSON for each test."""

import json
import os
import time
import urllib.request

import jwt
import pytest

own_encode = jwt.encode


def encode(payload, key, algorithm="HS256", **more):
    """The platform's issuer signs what the suite signs with its shared secret. What is to be refused stays as it is."""
    expires = payload.get("exp")
    expires = expires.timestamp() if hasattr(expires, "timestamp") else expires
    if key != os.environ["JWT_SECRET_KEY"] or (expires is not None and expires < time.time()):
        return own_encode(payload, key, algorithm=algorithm, **more)
    claims = {"sub": payload.get("sub", "admin"), "scopes": payload.get("scopes", [])}
    asked = urllib.request.Request(os.environ["PEER_SIGNER"], data=json.dumps(claims).encode())
    with urllib.request.urlopen(asked) as answer:
        return answer.read().decode()


jwt.encode = encode


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    # Of a test that passes, only the call counts; a fixture that fails or skips ends the test.
    if report.when != "call" and report.outcome == "passed":
        return
    why = ""
    if report.outcome == "failed":
        crash = getattr(report.longrepr, "reprcrash", None)
        why = crash.message if crash else str(report.longrepr)
    elif report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        why = report.longrepr[2]
    line = {"test": report.nodeid, "outcome": report.outcome, "why": why[:400]}
    with open(os.environ["PEER_REPORT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
