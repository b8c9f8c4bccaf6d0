import { describe, expect } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import { test } from "../support/shared-platform.ts";

let admin: Client;
let agent: string;
test.beforeAll(async ({ platform }) => {
  admin = clientOf(platform.url, platform.token("stored-results-admin", ["platform:admin"]));
  agent = await createComponent(admin, {
    stage: "published",
    config: {
      model: "scripted:scripted-1",
      tools: ["get_time"],
      offload_tool_results: { threshold_chars: 2_000, preview_chars: 100 },
    },
  });
});

/** No time zone has this name: the tool answers with an error that quotes it. */
const LONG_NAME = `${"Anna ".repeat(500)}needle ${"Berta ".repeat(500)}`;

const said = async (message: string, session_id?: string): Promise<RunOutput> => {
  const form = { message, stream: "false", ...(session_id !== undefined && { session_id }) };
  const { status, json, text } = await admin.post(`/agents/${agent}/runs`, { form });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json;
};

const searched = async (result_id: string | undefined, session_id: string): Promise<string> => {
  const asked = `[[tool:search_result ${JSON.stringify({ result_id, pattern: "needle" })}]]`;
  return String((await said(asked, session_id)).tools?.[0]?.result);
};

describe("a stored component that keeps large results out of its prompts", () => {
  test("finds them in later runs of the session and in a copy of it, but nowhere else", async () => {
    const first = await said(`[[tool:get_time ${JSON.stringify({ timezone: LONG_NAME })}]]`);
    const stored = first.tools?.[0]?.stored_result;
    expect(stored).toMatchObject({ stored: true });
    expect(stored?.chars).toBeGreaterThan(LONG_NAME.length);
    expect(first.tools?.[0]?.result?.length).toBeLessThan(400);
    const { session_id } = first;
    expect(await searched(stored?.result_id, session_id)).toContain("needle");

    const forked = await admin.post(`/agents/${agent}/sessions/${session_id}/fork`);
    expect(forked.status).toBe(200);
    expect((await admin.send("DELETE", `/sessions/${session_id}`)).status).toBe(204);
    expect(await searched(stored?.result_id, forked.json.session_id)).toContain("needle");

    const { session_id: other } = await said("hello");
    expect(await searched(stored?.result_id, other)).toContain("There is no stored result");
  });
});
