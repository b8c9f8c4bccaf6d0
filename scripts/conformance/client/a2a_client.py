"""The client of A2A, against an agent, a team and a workflow, in each of the bindings it speaks."""

from walk import Walk, attempt

# In the envelope and in JSON-RPC.
PAUSED = ("working", "input-required")


async def messages(w: Walk) -> None:
    """The workflow pauses before its last step, so only agents and teams have said something by then."""
    pauses = "workflows" in w.part
    await w.call("get_agent_card", check=lambda card: card and card.name)
    await w.call("aget_agent_card", check=lambda card: card and card.name)
    sent = await w.call(
        "send_message",
        "Hello",
        metadata={"from": "here"},
        check=lambda task: task.status in PAUSED if pauses else task.content == "You said: Hello",
    )
    await w.call(
        "send_message",
        "Again",
        context_id=None if pauses else sent.context_id,
        check=lambda task: pauses or task.context_id == sent.context_id,
    )
    await w.call(
        "stream_message",
        "Hello",
        check=lambda events: pauses or "".join(e.content or "" for e in events if e.is_content) == "You said: Hello",
    )


async def walk_a2a_client(walk: Walk) -> None:
    await attempt(walk, messages)
