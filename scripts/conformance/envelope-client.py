"""Calls an agent through the client of AgentOS, which speaks the envelope dialect: a message, and a stream.

Arguments: address of the agent, token. Exits with an error where an answer is not the expected one.
"""

import asyncio
import sys

from agno.client.a2a import A2AClient

url, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}


async def main() -> None:
    client = A2AClient(url, protocol="rest")
    answer = await client.send_message("hello there", headers=headers)
    assert answer.status == "completed", answer
    assert answer.content == "You said: hello there", answer
    events = [event async for event in client.stream_message("hello again", headers=headers)]
    said = "".join(event.content or "" for event in events if event.is_content)
    assert said == "You said: hello again", said
    print(f"send answered, stream told it in {len(events)} events")


asyncio.run(main())
