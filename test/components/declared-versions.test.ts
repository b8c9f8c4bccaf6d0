import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
test.beforeAll(({ platform }) => {
  const kinds = ["agents", "teams", "workflows"];
  const scopes = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:run`]);
  maria = clientOf(platform.url, platform.token("maria", scopes));
});

/** What code declares, and how its run ends. */
const ends = {
  "agents/assistant": "COMPLETED",
  "teams/support-team": "COMPLETED",
  "workflows/publish-report": "PAUSED",
} as const;

describe.each(Object.entries(ends))("a version of %s, which code declares", (path, end) => {
  test.for(["1", "99"])("is ignored where it is shown or run: %s", async (version) => {
    const shown = await maria.get(`/${path}?version=${version}`);
    expect(shown.status).toBe(200);
    expect(shown.json).toEqual((await maria.get(`/${path}`)).json);
    const { json } = await maria.post(`/${path}/runs`, { form: { message: "hi", stream: "false", version } });
    expect(json.status).toBe(end);
  });
});
