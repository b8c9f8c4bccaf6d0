"""Calls the public members of a class one after the other, and records what each of them said."""

import inspect
import json
import logging
from typing import Any, Callable, Dict, List, Optional

import httpx


class _Complaints(logging.Handler):
    """What the package logs instead of raising it: an event of a stream that it does not know, or cannot read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: List[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        cause = record.exc_info[1] if record.exc_info else None
        self.lines.append(record.getMessage() + (f" ({cause})" if cause else ""))


def public_members(cls: type) -> List[str]:
    """Methods and properties without an underscore, also inherited ones. Plain values of a class are not among them."""
    return [
        name
        for name, value in inspect.getmembers(cls)
        if not name.startswith("_") and (callable(value) or isinstance(value, property))
    ]


def reason_of(error: BaseException) -> str:
    """One line; for a refused request with what the platform answered."""
    if isinstance(error, httpx.HTTPStatusError):
        request, response = error.request, error.response
        try:
            said = response.text
        except httpx.ResponseNotRead:
            said = "(a stream)"
        return f"{request.method} {request.url.path}: {response.status_code} {said}"[:400]
    return f"{type(error).__name__}: {error}".replace("\n", " ")[:400]


class Walk:
    """The members of one class and what was seen of them. A member that nothing calls stays with 0 calls."""

    def __init__(self, part: str, subject: Any) -> None:
        self.part = part
        self.subject = subject
        self.rows: Dict[str, Dict[str, Any]] = {name: {"calls": 0, "failures": []} for name in public_members(type(subject))}

    def has(self, name: str) -> bool:
        """Whether this version of the package has the member."""
        return name in self.rows

    async def call(self, name: str, /, *args: Any, check: Optional[Callable[[Any], bool]] = None, **kwargs: Any) -> Any:
        """
        Calls a member, or reads it where it is a property, and waits for its whole answer: a stream is read to its end.

        :param check: what has to be true of the answer
        :returns: the answer, a list of events for a stream; None where it failed
        """
        row = self.rows[name]
        row["calls"] += 1
        complaints = _Complaints()
        logger = logging.getLogger("agno")
        logger.addHandler(complaints)
        try:
            answer = getattr(self.subject, name)
            if not isinstance(getattr(type(self.subject), name, None), property):
                answer = answer(*args, **kwargs)
            if inspect.isawaitable(answer):
                answer = await answer
            if hasattr(answer, "__aiter__"):
                answer = [event async for event in answer]
            if complaints.lines:
                row["failures"].append("; ".join(complaints.lines)[:400])
            elif check and not check(answer):
                row["failures"].append(f"unexpected answer: {answer!r}".replace("\n", " ")[:400])
            return answer
        except Exception as error:  # noqa: BLE001  whatever a client raises is what its user would see
            row["failures"].append(reason_of(error))
            return None
        finally:
            logger.removeHandler(complaints)

    def skip(self, name: str, reason: str) -> None:
        """Says why a member is not called: it asks the platform nothing."""
        if self.has(name):
            self.rows[name]["skipped"] = reason

    def report(self) -> None:
        """Prints a line of JSON for each member."""
        for name, row in self.rows.items():
            print(json.dumps({"part": self.part, "method": name, **row}), flush=True)


async def attempt(walk: Walk, scenario: Callable[[Walk], Any]) -> None:
    """Runs a scenario; one that cannot go on because an earlier answer was missing leaves the rest uncalled."""
    try:
        await scenario(walk)
    except Exception as error:  # noqa: BLE001
        print(json.dumps({"part": walk.part, "stopped": scenario.__name__, "reason": reason_of(error)}), flush=True)
