import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

type Fields = Readonly<Record<string, unknown>>;
let made = 0;
const gated = (config: Fields = { require_eval: true }) => {
  made += 1;
  return createComponent(admin, { component_id: `gated-${made}`, config });
};
const versionOf = (id: string, rest = "", number = 1) => `/components/${id}/configs/${number}${rest}`;
const edit = (id: string, config: Fields) => admin.call("PATCH", versionOf(id), { json: { config } });
const publish = (id: string, query = "", number = 1) =>
  admin.call("PATCH", versionOf(id, query, number), { json: { stage: "published" } });
const evaluate = async (id: string, more: Fields = {}, client = admin) =>
  client.post("/eval-runs", {
    json: {
      eval_type: "accuracy",
      agent_id: id,
      version: 1,
      input: "hello",
      expected_output: '[[answer:{"score":9,"reason":"so"}]]',
      ...more,
    },
  });
/** An evaluation of the tools that are called. */
const calling = (expected_tool_calls: readonly string[]): Fields => ({
  eval_type: "reliability",
  expected_tool_calls,
});
const reasonOf = async (id: string, number = 1) => {
  const { status, json } = await publish(id, "", number);
  expect([status, json.faults[0].path]).toEqual([422, "require_eval"]);
  return json.detail;
};

describe("a draft is evaluated by its version", () => {
  test("which the evaluation says, and runs", async () => {
    const id = await gated({ instructions: "You are a draft." });
    const { status, json } = await evaluate(id);
    expect([status, json]).toMatchObject([200, { status: "completed", component_version: 1 }]);
  });

  test("by its author alone; what code declares has none", async () => {
    const id = await gated();
    const scopes = ["evals:write", "agents:run", "components:read"];
    const stranger = clientOf(platform.url, platform.token("stranger to drafts", scopes));
    expect((await evaluate(id, {}, stranger)).status).toBe(404);
    expect((await evaluate("assistant")).json.detail).toContain("has no versions");
    expect((await evaluate(id, { version: 7 })).status).toBe(404);
  });
});

describe("a version with a gate is published", () => {
  test("once an evaluation of it has passed, and not before", async () => {
    const id = await gated();
    expect(await reasonOf(id)).toContain("version 1 needs an evaluation");
    const { json: checked } = await admin.post(versionOf(id, "/check"));
    expect(checked).toMatchObject({ ok: false, faults: [{ path: "require_eval" }] });
    await evaluate(id, calling(["get_time"]));
    expect(await reasonOf(id)).toContain("does not pass");
    await evaluate(id);
    expect((await publish(id)).status).toBe(200);
  });

  test("not by an evaluation of which no case expects anything, which says so", async () => {
    const id = await gated();
    await evaluate(id, calling([]));
    expect(await reasonOf(id)).toContain("none of its cases expects a tool call");
    await evaluate(id);
    expect((await publish(id)).status).toBe(200);
  });

  test("only as it was evaluated: an edit asks for another one", async () => {
    const id = await gated();
    await evaluate(id);
    await edit(id, { require_eval: true, instructions: "Be rude." });
    expect(await reasonOf(id)).toContain("it was edited since it was evaluated");
    await edit(id, { require_eval: true });
    expect((await publish(id)).status).toBe(200);
  });

  test("by what the gate asks for: the type, the scores, the dataset", async () => {
    const id = await gated({ require_eval: { eval_type: "accuracy", min_score: 8 } });
    const scored = (score: number) =>
      evaluate(id, {
        eval_type: "accuracy",
        expected_output: `[[answer:${JSON.stringify({ score, reason: "so" })}]]`,
      });
    await evaluate(id, calling([]));
    await scored(7);
    expect(await reasonOf(id)).toContain("does not pass");
    await scored(8);
    expect((await publish(id)).status).toBe(200);
  });

  test("not by an evaluation that failed", async () => {
    const id = await gated();
    await evaluate(id, { input: "[[fail:down]]" });
    expect(await reasonOf(id)).toContain("failed");
  });

  test("not by an evaluation with another model", async () => {
    const id = await gated();
    await evaluate(id, { model_id: "scripted-1", model_provider: "Scripted" });
    expect((await publish(id)).status).toBe(422);
  });

  test("all the same with force", async () => {
    const id = await gated();
    expect((await publish(id, "?force=true")).json).toMatchObject({ stage: "published" });
  });

  test("also where it leaves the gate of the live version out", async () => {
    const id = await gated();
    await evaluate(id);
    await publish(id);
    await admin.post(`/components/${id}/configs`, { json: { config: { name: "no gate" } } });
    expect(await reasonOf(id, 2)).toContain("version 2 needs an evaluation");
    await evaluate(id, { version: 2 });
    expect((await publish(id, "", 2)).status).toBe(200);
  });

  test("never with its creation: it cannot have been evaluated", async () => {
    const config = { require_eval: true };
    const json = { name: "Bot", component_type: "agent", component_id: "gated-at-once", config };
    const { status, json: refused } = await admin.post("/components", {
      json: { ...json, stage: "published" },
    });
    expect([status, refused.detail]).toEqual([422, expect.stringContaining("store it as a draft")]);
  });

  test("only with a gate that says what it asks for", async () => {
    const id = await gated({ require_eval: { min_scor: 8 } });
    expect(await reasonOf(id)).toContain("require_eval is true, or says");
  });
});

test("the end of a run that is judged afterwards writes its evaluation", async () => {
  const online_evaluation = { sample_ratio: 1, criteria: "is polite", daily_evaluations: 10 };
  const id = await createComponent(admin, {
    component_id: "judged-online",
    config: { online_evaluation },
    stage: "published",
  });
  const run = async (background: string) => {
    const form = { message: "hello", stream: "false", background };
    const { json } = await admin.post(`/agents/${id}/runs`, { form });
    const path = `/agents/${id}/runs/${json.run_id}?session_id=${json.session_id}`;
    await expect.poll(async () => (await admin.get(path)).json.status).toBe("COMPLETED");
    return json;
  };
  for (const background of ["false", "true"]) {
    const { run_id, session_id } = await run(background);
    const { json } = await admin.get(`/eval-runs?run_id=${run_id}`);
    expect(json.data).toMatchObject([
      { eval_type: "agent_as_judge", agent_id: id, run_id, session_id, component_version: 1 },
    ]);
  }
});
