"""
Walks the public members of the installed package's clients against a platform.

Arguments: the platform's address. Environment: PLATFORM_TOKEN, a token of an admin.
Prints one line of JSON for each member: {part, method, calls, failures, skipped?}, and {part, stopped, reason} for a
scenario that could not go on.
"""

import asyncio
import os
import sys

import httpx
from agno.agent import RemoteAgent
from agno.client import AgentOSClient
from agno.client.a2a import A2AClient
from agno.team import RemoteTeam
from agno.utils.http import set_default_async_client, set_default_sync_client
from agno.workflow import RemoteWorkflow

from a2a_client import walk_a2a_client
from command_line import walk_command_line
from os_client import walk_os_client
from remotes import agent, by_a2a, team, walk_remote, workflow
from walk import Walk

REMOTES = (
    (RemoteAgent, "agent_id", "front-desk", "agents", agent),
    (RemoteTeam, "team_id", "support-team", "teams", team),
    (RemoteWorkflow, "workflow_id", "publish-report", "workflows", workflow),
)


async def main(url: str, token: str) -> None:
    # Getters of remote components take no header; a program gives the package a client that has the token.
    headers = {"Authorization": f"Bearer {token}"}
    set_default_sync_client(httpx.Client(headers=headers))
    set_default_async_client(httpx.AsyncClient(headers=headers))
    os_client = Walk("AgentOSClient", AgentOSClient(url, timeout=60))
    await walk_os_client(os_client)
    os_client.report()
    for cls, member, component, kind, scenario in REMOTES:
        remote = Walk(cls.__name__, cls(url, **{member: component}))
        await walk_remote(remote, scenario)
        remote.report()
        for binding in ("rest", "json-rpc"):
            root = f"{url}/a2a/{kind}/{component}"
            remote = Walk(
                f"{cls.__name__} (A2A, {binding})", cls(root, protocol="a2a", a2a_protocol=binding, **{member: component})
            )
            await walk_remote(remote, by_a2a)
            remote.report()
            client = Walk(f"A2AClient ({kind}, {binding})", A2AClient(root, timeout=60, protocol=binding))
            await walk_a2a_client(client)
            client.report()
    walk_command_line(url, token)


asyncio.run(main(sys.argv[1], os.environ["PLATFORM_TOKEN"]))
