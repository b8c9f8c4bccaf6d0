"""Every method of the client of AgentOS, in the order in which a program would use them."""

import asyncio
import inspect
import uuid
from datetime import date, timedelta

from agno.db.base import SessionType
from agno.db.schemas.evals import EvalType
from agno.media import File, Image
from agno.os.routers.traces.schemas import TraceSearchGroupBy
from agno.run.agent import RunEvent
from agno.run.base import RunStatus

try:
    from agno.compaction.types import CompactionRecord
except ImportError:
    CompactionRecord = None  # of 2.x

from walk import Walk, attempt

PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
)
PAY = '[[tool:pay_invoice {"invoice_id":"2041","amount":80}]]'
ASK_TO_BOOK = '[[tool:book_table {"restaurant":"Olivo"}]]'
BOOKING = {"guests": 2, "time": "19:30"}
DELEGATED_REFUND = (
    '[[tool:delegate_task_to_member {"member_id":"refund-desk",'
    '"task":"[[tool:issue_refund {\\"order_id\\":\\"A-1001\\",\\"amount\\":5}]]"}]]'
)


def events_of(names):
    """Checks that a stream has these events, in this order."""

    def check(events):
        seen = [event.event for event in events]
        position = -1
        for name in names:
            if name not in seen[position + 1 :]:
                return False
            position = seen.index(name, position + 1)
        return True

    return check


def has_links(events):
    """Checks that a stream has links for feedback in a custom event, just before its end."""
    custom, completed = events[-2:]
    return (
        completed.event == "RunCompleted"
        and custom.event == "CustomEvent"
        and custom.name == "feedback_links"
        and set(custom.feedback) == {"thumb", "tone"}
    )


async def discovery(w: Walk) -> None:
    await w.call("get_config", check=lambda c: c.os_id and any(a.id == "assistant" for a in c.agents))
    await w.call("aget_config", check=lambda c: len(c.databases) > 0)
    if w.has("get_models"):
        await w.call("get_models", check=lambda models: len(models) > 0)
    await w.call("list_agents", check=lambda agents: any(a.id == "front-desk" for a in agents))
    await w.call("get_agent", "assistant", check=lambda a: a.name == "Assistant")
    await w.call("aget_agent", "front-desk", check=lambda a: a.id == "front-desk" and a.tools)
    await w.call("list_teams", check=lambda teams: any(t.id == "support-team" for t in teams))
    await w.call("get_team", "support-team", check=lambda t: len(t.members) == 2)
    await w.call("aget_team", "support-team", check=lambda t: t.name == "Support team")
    await w.call("list_workflows", check=lambda flows: any(f.id == "publish-report" for f in flows))
    await w.call("get_workflow", "publish-report", check=lambda f: f.steps)
    await w.call("aget_workflow", "publish-report", check=lambda f: f.name == "Publish report")
    await w.call("migrate_database", "main")


async def agent_runs(w: Walk) -> None:
    said = await w.call("run_agent", "assistant", "Hello", check=lambda run: run.content == "You said: Hello")
    await w.call(
        "run_agent",
        "assistant",
        "[[tool:add_numbers {\"a\":2,\"b\":3}]]",
        session_id=said.session_id,
        session_state={"colour": "red"},
        metadata={"from": "here"},
        dependencies={"unit": "euro"},
        check=lambda run: run.status == RunStatus.completed
        and run.tools[0].result == "5"
        and run.metrics.duration > 0,
    )
    await w.call(
        "run_agent",
        "assistant",
        "Look at this",
        images=[Image(content=PIXEL, mime_type="image/png")],
        files=[File(content=b"two pumps", filename="pumps.txt", mime_type="text/plain")],
        check=lambda run: run.input.images and run.input.files,
    )
    await w.call(
        "run_agent_stream",
        "assistant",
        '[[tool:add_numbers {"a":2,"b":3}]]',
        stream_events=True,
        check=events_of(["RunStarted", "ToolCallStarted", "ToolCallCompleted", "RunContent", "RunCompleted"]),
    )
    await w.call(
        "run_agent",
        "assistant",
        "Hello",
        feedback_keys="thumb,tone",
        check=lambda run: run.content == "You said: Hello" and run.status == RunStatus.completed,
    )
    await w.call(
        "run_agent_stream",
        "assistant",
        "Hello",
        stream_events=True,
        feedback_keys="thumb,tone",
        check=has_links,
    )
    for name in ("continue_agent_run", "continue_agent_run_stream"):
        paused = await w.call("run_agent", "front-desk", ASK_TO_BOOK, check=lambda run: run.status == RunStatus.paused)
        tool = paused.tools[0]
        for field in tool.user_input_schema:
            if field.name in BOOKING:
                field.value = BOOKING[field.name]
        await w.call(
            name,
            "front-desk",
            paused.run_id,
            [tool],
            session_id=paused.session_id,
            check=events_of(["RunContinued", "RunCompleted"])
            if name.endswith("stream")
            else lambda run: run.status == RunStatus.completed and "Olivo" in run.content,
        )
    await cancelled(w, "run_agent_stream", "cancel_agent_run", "assistant", "RunStarted", "RunCancelled")


async def compaction(w: Walk) -> None:
    """A run that is shown a summary of what was before it: its events, and the record that it keeps."""
    # Clients of 2.x know no such event, and have no such field.
    if not hasattr(RunEvent, "compaction_completed"):
        return
    long = "The pump in the cellar is crimson. " + "All is well. " * 700
    first = await w.call("run_agent", "folding", long, check=lambda run: run.status == RunStatus.completed)
    events = await w.call(
        "run_agent_stream",
        "folding",
        "What now?",
        session_id=first.session_id,
        stream_events=True,
        check=events_of(["RunStarted", "CompactionStarted", "CompactionCompleted", "RunContent", "RunCompleted"]),
    )
    completed = next(event for event in events if event.event == "CompactionCompleted")
    await w.call(
        "run_agent",
        "folding",
        "And then? " + long,
        session_id=first.session_id,
        check=lambda run: isinstance(run.compaction, CompactionRecord)
        and run.compaction.run_id == run.run_id
        and run.compaction.tokens_before > run.compaction.tokens_after
        and "is left out" in run.compaction.summary,
    )
    if not (completed.tokens_before > completed.tokens_after and completed.messages_compacted > 0):
        w.rows["run_agent_stream"]["failures"].append(f"unexpected compaction: {completed!r}"[:400])


async def cancelled(w: Walk, stream: str, cancel: str, component: str, started: str, ended: str) -> None:
    """Cancels a run while it is streamed, as soon as its stream says its id."""
    events = []

    async def read() -> None:
        async for event in getattr(w.subject, stream)(component, "[[sleep:4000]] Never said"):
            events.append(event)

    reading = asyncio.create_task(read())
    while not events and not reading.done():
        await asyncio.sleep(0.05)
    await w.call(cancel, component, events[0].run_id)
    await asyncio.wait_for(reading, 30)
    w.rows[stream]["calls"] += 1
    if not events_of([started, ended])(events):
        w.rows[cancel]["failures"].append(f"the stream ended with {[event.event for event in events]}")


async def team_runs(w: Walk) -> None:
    await w.call("run_team", "support-team", "Hello", check=lambda run: run.content == "You said: Hello")
    await w.call(
        "run_team_stream",
        "support-team",
        '[[tool:delegate_task_to_member {"member_id":"assistant","task":"what time is it"}]]',
        stream_events=True,
        check=events_of(["TeamRunStarted", "TeamToolCallStarted", "RunStarted", "RunCompleted", "TeamRunCompleted"]),
    )
    for name in ("continue_team_run", "continue_team_run_stream"):
        paused = await w.call(
            "run_team", "support-team", DELEGATED_REFUND, check=lambda run: run.status == RunStatus.paused
        )
        for requirement in paused.requirements:
            requirement.confirm()
        await w.call(
            name,
            "support-team",
            paused.run_id,
            paused.requirements,
            session_id=paused.session_id,
            check=events_of(["TeamRunContinued", "TeamRunCompleted"])
            if name.endswith("stream")
            else lambda run: run.status == RunStatus.completed,
        )
    await cancelled(w, "run_team_stream", "cancel_team_run", "support-team", "TeamRunStarted", "TeamRunCancelled")


async def workflow_runs(w: Walk) -> None:
    for name in ("continue_workflow_run", "continue_workflow_run_stream"):
        paused = await w.call(
            "run_workflow",
            "publish-report",
            "The lighthouse",
            check=lambda run: run.status == RunStatus.paused and run.step_requirements,
        )
        for requirement in paused.step_requirements:
            requirement.confirm()
        await w.call(
            name,
            "publish-report",
            paused.run_id,
            paused.step_requirements,
            session_id=paused.session_id,
            check=events_of(["WorkflowCompleted"])
            if name.endswith("stream")
            else lambda run: run.status == RunStatus.completed and run.content.startswith("Published"),
        )
    await w.call(
        "run_workflow_stream",
        "publish-report",
        "The lighthouse",
        stream_events=True,
        check=events_of(["WorkflowStarted", "StepStarted", "StepCompleted"]),
    )
    await cancelled(
        w, "run_workflow_stream", "cancel_workflow_run", "publish-report", "WorkflowStarted", "WorkflowCancelled"
    )


async def memories(w: Walk) -> None:
    made = await w.call("create_memory", "Sails on Sundays.", "maria", topics=["hobby"], check=lambda m: m.memory_id)
    other = await w.call("create_memory", "Lives in Kiel.", "maria", topics=["home"])
    await w.call("get_memory", made.memory_id, user_id="maria", check=lambda m: m.memory == "Sails on Sundays.")
    await w.call("list_memories", user_id="maria", search_content="sail", check=lambda page: page.meta.total_count == 1)
    await w.call("list_memories", user_id="maria", topics=["home"], check=lambda page: page.data[0].topics == ["home"])
    await w.call("update_memory", made.memory_id, "Sails on Saturdays.", "maria", topics=["hobby"], check=lambda m: "Saturdays" in m.memory)
    await w.call("get_memory_topics", user_id="maria", check=lambda topics: set(topics) >= {"hobby", "home"})
    await w.call("get_user_memory_stats", user_id="maria", check=lambda page: page.data[0].total_memories == 2)
    await w.call("optimize_memories", "maria", apply=False, check=lambda o: o.memories_before == 2)
    await w.call("delete_memory", made.memory_id, user_id="maria")
    await w.call("delete_memories", [other.memory_id], user_id="maria")
    await w.call("list_memories", user_id="maria", check=lambda page: page.meta.total_count == 0)


async def sessions(w: Walk) -> None:
    kinds = (
        (SessionType.AGENT, "agent_id", "assistant"),
        (SessionType.TEAM, "team_id", "support-team"),
        (SessionType.WORKFLOW, "workflow_id", "publish-report"),
    )
    made = []
    for kind, member, component in kinds:
        session = await w.call(
            "create_session",
            session_type=kind,
            session_id=str(uuid.uuid4()),
            session_name="tickets",
            session_state={"open": 1},
            metadata={"shop": "north"},
            **{member: component},
            check=lambda s: s.session_name == "tickets",
        )
        made.append(session.session_id)
        await w.call("get_session", session.session_id, session_type=kind, check=lambda s: s.session_state == {"open": 1})
        await w.call(
            "get_sessions", session_type=kind, component_id=component, session_name="tickets", check=lambda p: p.data
        )
    first = made[0]
    run = await w.subject.run_agent("assistant", "Pump 7 leaks", session_id=first, headers=None)
    await w.call("get_session_runs", first, check=lambda runs: [r.run_id for r in runs] == [run.run_id])
    await w.call("get_session_run", first, run.run_id, check=lambda r: r.run_input == "Pump 7 leaks" and r.content)
    if "status" in inspect.signature(w.subject.get_session_runs).parameters:
        await w.call("get_session_runs", first, status=["completed"], check=lambda runs: len(runs) == 1)
        await w.call("get_session_runs", first, session_type=SessionType.AGENT, created_after=1, check=lambda runs: len(runs) == 1)
    for name in ("get_session_run_previews", "aget_session_run_previews"):
        if w.has(name):
            await w.call(name, first, check=lambda previews: previews[0].run_input == "Pump 7 leaks")
    await w.call("rename_session", first, "pumps", session_type=SessionType.AGENT, check=lambda s: s.session_name == "pumps")
    await w.call(
        "update_session",
        first,
        session_type=SessionType.AGENT,
        session_state={"open": 2},
        metadata={"shop": "south"},
        check=lambda s: s.session_state == {"open": 2},
    )
    await w.call("delete_session", first)
    await w.call("delete_sessions", made[1:], [SessionType.TEAM, SessionType.WORKFLOW])
    await w.call("get_sessions", session_name="tickets", check=lambda page: page.meta.total_count == 0)


async def evaluations(w: Walk) -> None:
    tools = '[[tool:add_numbers {"a":2,"b":3}]]'
    reliability = await w.call(
        "run_eval",
        EvalType.RELIABILITY,
        tools,
        agent_id="assistant",
        expected_tool_calls=["add_numbers"],
        check=lambda e: e.eval_data["eval_status"] == "PASSED",
    )
    performance = await w.call(
        "run_eval",
        EvalType.PERFORMANCE,
        "Hello",
        team_id="support-team",
        num_iterations=2,
        check=lambda e: e.eval_data["result"]["avg_run_time"] > 0,
    )
    accuracy = await w.call(
        "run_eval",
        EvalType.ACCURACY,
        "Hello",
        agent_id="assistant",
        expected_output="You said: Hello",
        check=lambda e: e.eval_type == EvalType.ACCURACY,
    )
    made = [reliability.id, performance.id, accuracy.id]
    await w.call("list_eval_runs", eval_types=[EvalType.RELIABILITY], check=lambda page: page.data[0].id == made[0])
    await w.call("get_eval_run", made[0], check=lambda e: e.agent_id == "assistant")
    await w.call("update_eval_run", made[0], "adds", check=lambda e: e.name == "adds")
    await w.call("delete_eval_runs", made)
    await w.call("list_eval_runs", check=lambda page: page.meta.total_count == 0)


async def knowledge(w: Walk) -> None:
    await w.call("get_knowledge_config", check=lambda c: c.readers is not None)
    text = await w.call(
        "upload_knowledge_content",
        name="pumps",
        description="what pumps need",
        text_content="Pump 7 needs oil every spring.",
        metadata={"line": "pumps"},
        check=lambda c: c.id,
    )
    file = await w.call(
        "upload_knowledge_content",
        file=File(content=b"Valves need no oil.", filename="valves.txt", mime_type="text/plain"),
        check=lambda c: c.id,
    )
    for content in (text, file):
        for _ in range(100):
            status = await w.call("get_knowledge_content_status", content.id)
            if status is None or status.status != "processing":
                break
            await asyncio.sleep(0.2)
        w.rows["get_knowledge_content_status"]["calls"] = 2
        if status is None or status.status != "completed":
            w.rows["get_knowledge_content_status"]["failures"].append(f"the content is {status!r}")
    await w.call("list_knowledge_content", check=lambda page: page.meta.total_count == 2)
    await w.call("get_knowledge_content", text.id, check=lambda c: c.name == "pumps")
    await w.call(
        "search_knowledge", "oil in spring", max_results=2, filters={"line": "pumps"}, check=lambda page: "Pump 7" in page.data[0].content
    )
    await w.call(
        "update_knowledge_content", text.id, name="pump book", metadata={"line": "old"}, check=lambda c: c.name == "pump book"
    )
    await w.call("delete_knowledge_content", file.id)
    await w.call("delete_all_knowledge_content")
    await w.call("list_knowledge_content", check=lambda page: page.meta.total_count == 0)


async def traces(w: Walk) -> None:
    page = await w.call("get_traces", agent_id="assistant", limit=5, check=lambda p: p.data and p.data[0].duration)
    trace = page.data[0]
    detail = await w.call("get_trace", trace.trace_id, check=lambda t: t.tree)
    await w.call("get_trace", trace.trace_id, span_id=detail.tree[0].id, check=lambda node: node.id == detail.tree[0].id)
    await w.call("get_trace_session_stats", check=lambda p: p.data[0].total_traces > 0)
    await w.call("search_traces", {"op": "EQ", "key": "status", "value": "OK"}, check=lambda p: p.data)
    await w.call("search_traces", group_by=TraceSearchGroupBy.SESSION, check=lambda p: p.data[0].session_id)


async def metrics(w: Walk) -> None:
    await w.call("refresh_metrics", check=lambda days: isinstance(days, list))
    await w.call("refresh_metrics", background=True)
    await w.call("get_metrics_refresh_status")
    today = date.today()
    await w.call(
        "get_metrics",
        starting_date=today - timedelta(days=1),
        ending_date=today + timedelta(days=1),
        check=lambda m: m.metrics[0].agent_runs_count > 0,
    )


async def walk_os_client(walk: Walk) -> None:
    for scenario in (
        discovery,
        agent_runs,
        compaction,
        team_runs,
        workflow_runs,
        memories,
        sessions,
        evaluations,
        knowledge,
        traces,
        metrics,
    ):
        await attempt(walk, scenario)
