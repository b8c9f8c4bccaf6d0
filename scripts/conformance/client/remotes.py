"""Agents, teams and workflows of the platform as remote ones of a program: by the interface and by A2A."""

import asyncio
import inspect

from agno.run.base import RunStatus

from os_client import ASK_TO_BOOK, BOOKING, DELEGATED_REFUND, events_of
from walk import Walk, attempt


GETTERS = (
    *("id", "name", "description", "role", "tools", "db", "knowledge", "model", "user_id"),
    *("get_os_client", "get_a2a_client", "get_agent_card", "aget_agent_card"),
    *("get_agent_config", "get_team_config", "get_workflow_config", "aget_tools", "as_tool"),
)


async def getters(w: Walk) -> None:
    """Members that describe the component; those that one of the kinds or versions lacks are left out."""
    for name in (*GETTERS, "refresh_config", "refresh_os_config"):
        if w.has(name):
            await w.call(name, check=expected_of(name))


async def described_by_a2a(w: Walk) -> None:
    """The same by A2A, where a component is described by its card."""
    for name in GETTERS:
        if w.has(name):
            await w.call(name, check=expected_of(name))


def expected_of(name: str):
    filled = {"id", "name", "description", "refresh_config", "refresh_os_config"}
    return (lambda value: value) if name in filled or name.endswith("_config") else None


async def cancelled(w: Walk) -> None:
    """Cancels a run of the component while it is streamed."""
    run_ids = []

    async def read() -> None:
        async for event in w.subject.arun("[[sleep:4000]] Never said", stream=True):
            run_ids.append(event.run_id)

    reading = asyncio.create_task(read())
    while not run_ids and not reading.done():
        await asyncio.sleep(0.05)
    await w.call("acancel_run", run_ids[0], check=lambda done: done is True)
    await asyncio.wait_for(reading, 30)


async def agent(w: Walk) -> None:
    await w.call("arun", "Hello", check=lambda run: run.content == "You said: Hello")
    await w.call("arun", "Hello", stream=True, check=events_of(["RunStarted", "RunContent", "RunCompleted"]))
    for stream in (False, True):
        paused = await w.call("arun", ASK_TO_BOOK, check=lambda run: run.status == RunStatus.paused)
        for requirement in paused.requirements:
            requirement.provide_user_input(BOOKING)
        answers = (
            {"requirements": paused.requirements}
            if "requirements" in inspect.signature(w.subject.acontinue_run).parameters
            else {"updated_tools": [requirement.tool_execution for requirement in paused.requirements]}
        )
        await w.call(
            "acontinue_run",
            paused.run_id,
            **answers,
            session_id=paused.session_id,
            stream=stream,
            check=events_of(["RunCompleted"]) if stream else lambda run: "Olivo" in run.content,
        )


async def team(w: Walk) -> None:
    await w.call("arun", "Hello", check=lambda run: run.content == "You said: Hello")
    await w.call("arun", "Hello", stream=True, check=events_of(["TeamRunStarted", "TeamRunContent", "TeamRunCompleted"]))
    for stream in (False, True):
        paused = await w.call("arun", DELEGATED_REFUND, check=lambda run: run.status == RunStatus.paused)
        for requirement in paused.requirements:
            requirement.confirm()
        await w.call(
            "acontinue_run",
            paused.run_id,
            requirements=paused.requirements,
            session_id=paused.session_id,
            stream=stream,
            check=events_of(["TeamRunCompleted"]) if stream else lambda run: run.status == RunStatus.completed,
        )


async def workflow(w: Walk) -> None:
    for stream in (False, True):
        paused = await w.call("arun", "The lighthouse", check=lambda run: run.status == RunStatus.paused)
        for requirement in paused.step_requirements:
            requirement.confirm()
        await w.call(
            "acontinue_run",
            paused,
            stream=stream,
            check=events_of(["WorkflowCompleted"]) if stream else lambda run: run.status == RunStatus.completed,
        )
    await w.call("arun", "The lighthouse", stream=True, check=events_of(["WorkflowStarted", "StepStarted"]))


async def by_a2a(w: Walk) -> None:
    """What a remote component can do by A2A: it neither continues nor cancels there, and has no configuration."""
    pauses = w.has("get_workflow_config")
    await w.call("arun", "Hello", check=lambda run: pauses or run.content == "You said: Hello")
    await w.call("arun", "Hello", stream=True, check=lambda events: len(events) > 1)
    for name in ("acontinue_run", "acancel_run", "refresh_os_config", "refresh_config"):
        w.skip(name, "not by A2A")


async def walk_remote(walk: Walk, scenario) -> None:
    described = described_by_a2a if scenario is by_a2a else getters
    for each in (described, scenario) if scenario is by_a2a else (described, scenario, cancelled):
        await attempt(walk, each)
