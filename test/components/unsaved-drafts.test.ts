import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** A config that a run brings along, and that is stored nowhere but with that run. */
let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const scopes = ["components:read", "components:write", "agents:read", "agents:run", "teams:run"];
const as = (sub: string, held: readonly string[] = scopes): Client =>
  clientOf(platform.url, platform.token(sub, held));
const live = { instructions: "You are live.", tools: ["add_numbers"] };
const storedBy = (writer: Client, config: object = live): Promise<string> =>
  createComponent(writer, { component_id: `tried-${crypto.randomUUID()}`, stage: "published", config });
const trial = (draft: unknown, form: Readonly<Record<string, string>> = {}) => ({
  form: { message: "hi", stream: "false", draft_config: JSON.stringify(draft), ...form },
});

describe("a run of an unsaved draft", () => {
  test("has the draft's instructions, and stores no version", async () => {
    const ada = as("ada-tries");
    const id = await storedBy(ada);
    const tried = await ada.post(`/agents/${id}/runs`, trial({ instructions: "You are a draft." }));
    expect(tried.json).toMatchObject({ status: "COMPLETED", metadata: { unsaved_draft: true } });
    expect(tried.json.messages[0].content).toBe("You are a draft.");
    expect((await ada.get(`/components/${id}/configs`)).json).toHaveLength(1);
    const after = await ada.post(`/agents/${id}/runs`, { form: { message: "hi", stream: "false" } });
    expect(after.json.messages[0].content).toBe("You are live.");
    expect(after.json.metadata).toBeUndefined();
    const listed = (await ada.get(`/runs?component_id=${id}`)).json.data;
    expect(listed.map((one: Record<string, unknown>) => one.component_version)).toEqual([1, undefined]);
  });

  test("that pauses continues with the draft, however long it is", async () => {
    const ada = as("ada-pauses");
    const id = await storedBy(ada);
    const draft = { tools: ["issue_refund"], instructions: `Refunds. ${"x".repeat(40_000)}` };
    const call = '[[tool:issue_refund {"order_id":"A-1","amount":3}]]';
    const paused = await ada.post(`/agents/${id}/runs`, trial(draft, { message: call }));
    expect(paused.json.status).toBe("PAUSED");
    const tools = JSON.stringify(
      paused.json.tools.map((tool: object) => ({ ...tool, confirmed: true, confirmation_note: "yes" })),
    );
    const { run_id, session_id } = paused.json;
    const went = await ada.post(`/agents/${id}/runs/${run_id}/continue`, {
      form: { tools, session_id, stream: "false" },
    });
    expect(went.json.status).toBe("COMPLETED");
    expect(JSON.stringify(went.json.messages)).toContain("Refunded 3 for order A-1.");
  });

  test("is refused where it could not be stored", async () => {
    const ada = as("ada-refused");
    const id = await storedBy(ada);
    const tries = async (by: Client, draft: unknown, form = {}, of = id) => {
      const { status, json } = await by.post(`/agents/${of}/runs`, trial(draft, form));
      return [status, JSON.stringify(json)];
    };
    const runsOnly = as("ada-refused", ["agents:run"]);
    expect(await tries(runsOnly, {})).toEqual([403, expect.stringContaining("components:write")]);
    expect(await tries(as("bob-tries"), {})).toEqual([403, expect.stringContaining("may change agent")]);
    expect(await tries(ada, { tools: ["nothing"] })).toEqual([422, expect.stringContaining("nothing")]);
    expect(await tries(ada, ["a list"])).toEqual([422, expect.stringContaining("JSON object")]);
    expect(await tries(ada, {}, { background: "true" })).toEqual([
      400,
      expect.stringContaining("background=true"),
    ]);
    expect(await tries(ada, {}, { version: "1" })).toEqual([400, expect.stringContaining("with version")]);
    expect(await tries(ada, {}, {}, "assistant")).toEqual([400, expect.stringContaining("declared in code")]);
  });

  test("names no component that its writer may not see", async () => {
    const hidden = await createComponent(as("bob-hides"), { component_id: `hidden-${crypto.randomUUID()}` });
    const ada = as("ada-looks");
    const team = await createComponent(ada, {
      component_id: `crew-${crypto.randomUUID()}`,
      component_type: "team",
      stage: "published",
      config: { members: [{ type: "agent", agent_id: "assistant" }] },
    });
    const draft = { members: [{ type: "agent", agent_id: hidden }] };
    const { status, json } = await ada.post(`/teams/${team}/runs`, trial(draft));
    expect([status, json.detail]).toEqual([404, `component ${hidden} not found`]);
  });
});
