import * as v from "valibot";
import { describe, expect } from "vitest";
import { Requirement, ToolExecution } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf, framesOf, orderOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
});

const RUNS = "/agents/front-desk/runs";

/** Every way to wait for a person: what the model asks for, and what the call then says of it. */
const pauses = [
  [
    "a confirmation",
    '[[tool:send_letter {"to":"Eva","text":"hi"}]]',
    { requires_confirmation: true, approval_type: "audit" },
  ],
  [
    "an approval",
    '[[tool:pay_invoice {"invoice_id":"7","amount":80}]]',
    { requires_confirmation: true, approval_type: "required" },
  ],
  ["input", '[[tool:book_table {"restaurant":"Olivo"}]]', { requires_user_input: true, answered: false }],
  [
    "execution elsewhere",
    '[[tool:read_device_file {"path":"a.txt"}]]',
    { external_execution_required: true },
  ],
  [
    "feedback",
    '[[tool:ask_user {"questions":[{"question":"Which?","header":"Size","options":[{"label":"S"},{"label":"L"}]}]}]]',
    { user_feedback_schema: [expect.objectContaining({ question: "Which?" })] },
  ],
] as const;

describe.each(pauses)("a run that waits for %s", (_, message, waits) => {
  test("answers PAUSED with the call and what it requires, all keys present", async () => {
    const { status, json } = await maria.post(RUNS, { form: { message, stream: "false" } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "PAUSED", content: expect.stringMatching(/^Waiting for /) });
    const {
      in_doubt: _inDoubt,
      proposed_args: _proposed,
      stored_result: _stored,
      remote_call: _remote,
      ...always
    } = ToolExecution.entries;
    expect(Object.keys(json.tools[0]).sort()).toEqual(Object.keys(always).sort());
    expect(json.tools[0]).toMatchObject({ result: null, ...waits });
    expect(v.parse(v.strictObject(Requirement.entries), json.requirements[0]).tool_execution).toEqual(
      json.tools[0],
    );
  });

  test("sends RunPaused last, and neither a call nor an end", async () => {
    const { text } = await maria.post(RUNS, { form: { message } });
    const frames = framesOf(text);
    expect(orderOf(frames)).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "RunPaused",
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ tools: [waits], requirements: [{ tool_execution: waits }] });
  });
});

test("a background run that pauses keeps its job, paused and not ended", async () => {
  const [, message] = pauses[0];
  const { json: accepted } = await maria.post(RUNS, {
    form: { message, stream: "false", background: "true" },
  });
  const path = `${RUNS}/${accepted.run_id}?session_id=${accepted.session_id}`;
  await expect.poll(async () => (await maria.get(path)).json.status).toBe("PAUSED");
  expect((await admin.get(`/queue/jobs/${accepted.run_id}`)).json).toMatchObject({
    status: "paused",
    attempt: 1,
    completed_at: null,
    locked_by: null,
  });
});

test("the agent shows which of its tools wait for whom", async () => {
  const { json } = await maria.get("/agents/front-desk");
  const shown = json.tools.tools.map(
    ({ name, description: _d, parameters: _p, ...traits }: Record<string, unknown>) => [name, traits],
  );
  expect(Object.fromEntries(shown)).toEqual({
    ask_user: {},
    book_table: {},
    pay_invoice: { approval_type: "required" },
    read_device_file: { external_execution: true },
    send_letter: { requires_confirmation: true, approval_type: "audit" },
  });
});
