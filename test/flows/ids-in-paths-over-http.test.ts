import { expect } from "vitest";
import { clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

/** The HTTP API decodes a path before a function sees it, a function URL does not: both must lead to the same session. */
test.for(["a/b", "50% off", "a%2Fb", "a#b", "a b+c", "größe", "a:cancel"])(
  "a session named %s is read, renamed and removed by its id, and no other is",
  async (session_id) => {
    const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:write", "sessions:delete"];
    const maria = clientOf(platform.url, platform.token("ids-in-paths", scopes));
    const run = await maria.post("/agents/assistant/runs", {
      form: { message: "hello", stream: "false", session_id },
    });
    expect(run.json.session_id).toBe(session_id);
    const path = `/sessions/${encodeURIComponent(session_id)}`;
    const read = await maria.get(path);
    expect([read.status, read.json.session_id]).toEqual([200, session_id]);
    const streamed = `/agents/assistant/runs/${run.json.run_id}?session_id=${encodeURIComponent(session_id)}`;
    expect((await maria.get(streamed)).json.session_id).toBe(session_id);
    const renamed = await maria.post(`${path}/rename?type=agent`, { json: { session_name: "renamed" } });
    expect([renamed.status, renamed.json.session_id]).toEqual([200, session_id]);
    expect((await maria.call("DELETE", path)).status).toBe(204);
    expect((await maria.get(path)).status).toBe(404);
  },
);
