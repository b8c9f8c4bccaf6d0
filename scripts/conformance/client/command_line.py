"""The command line that comes with the package: `agno status` and `agno tokens`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

COMMAND = str(Path(sys.executable).parent / "agno")
# What these do on the user's machine is no business of the platform.
NOT_OF_THE_PLATFORM = {
    name: "asks the platform nothing" for name in ("create", "up", "down", "restart", "disconnect")
} | {"connect": "writes the settings of other programs on this machine"}


def run(url: str, token: str, words: List[str]) -> Any:
    """Runs a command that answers with JSON. Raises where it fails."""
    done = subprocess.run(
        [COMMAND, *words, "--url", url, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "AGNO_ADMIN_TOKEN": token, "NO_COLOR": "1"},
    )
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stdout} {done.stderr}")
    return json.loads(done.stdout)


def commands() -> List[str]:
    """Names of all commands, those of groups as `group command`."""
    import typer.main
    from agnoctl.main import app

    root = typer.main.get_command(app)
    names: List[str] = []
    for name, command in root.commands.items():
        inner = getattr(command, "commands", None)
        names += [f"{name} {each}" for each in inner] if inner else [name]
    return names


def walk_command_line(url: str, token: str) -> None:
    """Prints a line of JSON for each command."""
    rows: Dict[str, Dict[str, Any]] = {
        name: {"calls": 0, "failures": [], **({"skipped": why} if (why := NOT_OF_THE_PLATFORM.get(name)) else {})}
        for name in commands()
    }

    def call(name: str, *words: str, check: Callable[[Any], bool]) -> Optional[Any]:
        row = rows[name]
        row["calls"] += 1
        try:
            answer = run(url, token, [*name.split(" "), *words])
        except Exception as error:  # noqa: BLE001
            row["failures"].append(str(error).replace("\n", " ")[:400])
            return None
        if not check(answer):
            row["failures"].append(f"unexpected answer: {answer}"[:400])
        return answer

    call("status", check=lambda said: said["os"]["url"] == url and said["os"]["auth_mode"] == "jwt")
    call(
        "tokens create", "walked", "--scopes", "agents:run", "--expires", "30d", check=lambda said: len(said["token"]) > 20
    )
    call("tokens create", "walked-writer", "--scopes", "sessions:write", "--privileged", check=lambda said: said["token"])
    call(
        "tokens list", check=lambda said: {"walked", "walked-writer"} <= {a["name"] for a in said["service_accounts"]}
    )
    call("tokens revoke", "walked", check=lambda said: said["revoked"])
    call("tokens revoke", "walked-writer", "--yes", check=lambda said: said["revoked"])
    for name, row in rows.items():
        print(json.dumps({"part": "agno (command line)", "method": name, **row}), flush=True)
