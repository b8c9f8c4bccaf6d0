"""Makes a run with the generated client, and reads it as others see it: <address> <token>."""

import sys

import openapi_client as client

address, token = sys.argv[1:]
with client.ApiClient(client.Configuration(host=address, access_token=token)) as api:
    runs = client.RunsApi(api)
    run = runs.create_agent_run(agent_id="assistant", message="Hello", stream=False)
    assert run.status == "COMPLETED", run.status
    accepted = runs.create_agent_run_with_http_info(
        agent_id="assistant", message="Later", stream=False, background=True
    )
    assert accepted.status_code == 202, accepted.status_code
    assert accepted.data.status in ("PENDING", "RUNNING", "COMPLETED"), accepted.data
    sessions = client.SessionsApi(api).list_sessions(type="agent")
    assert run.session_id in [one.session_id for one in sessions.data], sessions
    rows = client.SessionsApi(api).list_session_runs(session_id=run.session_id, type="agent")
    assert [row.actual_instance.run_id for row in rows] == [run.run_id], rows
    try:
        runs.get_agent_run(agent_id="assistant", run_id="missing", session_id=run.session_id)
        raise AssertionError("a run that is not there was found")
    except client.exceptions.NotFoundException:
        pass
    print(f"Python: run {run.status}: {run.content}")
