import { describe, expect } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { described } from "../../support/openapi/described.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

/** Real answers hold nothing that the interface description does not name: its objects are taken as closed. */

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = described(clientOf(platform.url, platform.adminToken));
  const kinds = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);
  const sessions = ["sessions:read", "sessions:write", "schedules:read", "schedules:write"];
  const scopes = [...kinds, ...sessions, "memories:read", "learnings:read", "metrics:read"];
  maria = described(clientOf(platform.url, platform.token("maria-described", scopes)));
});

/** What a run may do, by the component that does it. */
const runs = [
  ["agents/assistant", "hello"],
  ["agents/assistant", '[[tool:add_numbers {"a":2,"b":3}]]'],
  ["agents/assistant", "[[error]] it breaks"],
  ["agents/front-desk", '[[tool:send_letter {"to":"Eva","text":"hi"}]]'],
  ["agents/front-desk", '[[tool:pay_invoice {"invoice_id":"7","amount":80}]]'],
  ["agents/front-desk", '[[tool:book_table {"restaurant":"Olivo"}]]'],
  ["agents/front-desk", '[[tool:read_device_file {"path":"a.txt"}]]'],
  [
    "agents/front-desk",
    '[[tool:ask_user {"questions":[{"question":"Which?","header":"Size","options":[{"label":"S"},{"label":"L"}]}]}]]',
  ],
  ["agents/order-intake", '{"customer":"Maria","items":[{"sku":"A-1","count":2}]}'],
  ["teams/support-team", "where is my order?"],
  ["workflows/publish-report", "the lighthouse"],
] as const;

describe.each(runs)("a run of %s that is asked %s", (component, message) => {
  const form = { message, stream: "false" };

  test("is shown as described wherever it is shown", async () => {
    const { json: run } = await maria.post(`/${component}/runs`, { form });
    const { run_id, session_id } = run;
    await maria.post(`/${component}/runs`, { form: { message, session_id } });
    const bySession = `session_id=${session_id}`;
    await maria.get(`/${component}/runs/${run_id}?${bySession}`);
    const { json: listed } = await maria.get(`/${component}/runs?${bySession}`);
    expect(listed).toHaveLength(2);
    await maria.post(`/${component}/runs/${run_id}/resume`, { form: { session_id } });
    const type = `type=${component.split("s/")[0]}`;
    for (const path of ["", "/runs", "/run-previews", `/runs/${run_id}`]) {
      const { status } = await maria.get(`/sessions/${session_id}${path}?${type}`);
      expect([path, status]).toEqual([path, 200]);
    }
    await maria.call("PATCH", `/sessions/${session_id}?${type}`, {
      json: {
        metadata: { from: "a test" },
        ...(component.startsWith("w") ? {} : { summary: { summary: "s" } }),
      },
    });
    await maria.post(`/sessions/${session_id}/rename?${type}`, { json: { session_name: "mine" } });
    if (!component.startsWith("workflows")) {
      const { json } = await maria.get(`/${component}/runs/${run_id}/checkpoints?${bySession}`);
      for (const { message_index } of json.checkpoints) {
        await maria.get(`/${component}/runs/${run_id}/checkpoints/${message_index}?${bySession}`);
      }
    }
    await maria.post(`/${component}/runs/${run_id}/cancel?${bySession}`);
  });

  test("and its job, when it is executed in the background", async () => {
    const { json } = await maria.post(`/${component}/runs`, { form: { ...form, background: "true" } });
    const { run_id, session_id } = json;
    const path = `/${component}/runs/${run_id}?session_id=${session_id}`;
    await expect.poll(async () => (await maria.get(path)).json.status).not.toMatch("PENDING|RUNNING");
    await admin.get(`/queue/jobs/${run_id}`);
  });
});

test("answers to paused runs are described, and so is what follows", async () => {
  const [path, message] = ["/agents/front-desk/runs", '[[tool:send_letter {"to":"Eva","text":"hi"}]]'];
  const { json: paused } = await maria.post(path, { form: { message, stream: "false" } });
  const { run_id, session_id, tools } = paused;
  const answers = JSON.stringify([{ ...tools[0], confirmed: true }]);
  const { json: done } = await maria.post(`${path}/${run_id}/continue`, {
    form: { session_id, tools: answers, stream: "false" },
  });
  expect(done.status).toBe("COMPLETED");
});

test("a scheduled run that pauses shows what it waits for", async () => {
  const { json: schedule } = await maria.post("/schedules", {
    json: {
      name: "described",
      cron_expr: "0 0 1 1 *",
      endpoint: "/agents/front-desk/runs",
      payload: { message: '[[tool:send_letter {"to":"Eva","text":"hi"}]]' },
    },
  });
  await maria.post(`/schedules/${schedule.id}/trigger`);
  const last = async () => (await maria.get(`/schedules/${schedule.id}/runs`)).json.data[0];
  await expect.poll(async () => (await last())?.status).toBe("paused");
  expect((await last()).requirements).toHaveLength(1);
});

test.each([
  "/",
  "/health",
  "/info",
  "/config",
  "/models",
  "/registry?limit=100",
  "/agents",
  "/teams",
  "/teams/support-team",
  "/workflows",
  "/workflows/publish-report",
  "/queue/jobs",
  "/queue/stats",
  "/approvals",
  "/sessions",
  "/metrics",
  "/knowledge/config",
  "/databases/main",
  "/openapi.json",
])("GET %s is described", async (path) => {
  expect((await admin.get(path)).status).toBe(200);
});

const evaluations = [
  { eval_type: "reliability", input: "[[tool:get_time {}]]", expected_tool_calls: ["get_time"] },
  { eval_type: "accuracy", input: "hi", expected_output: "You said: hi" },
  { eval_type: "agent_as_judge", input: "hi", criteria: "is polite" },
  { eval_type: "performance", input: "hi" },
];
test.each(evaluations)("an evaluation of $eval_type is described, going on and done", async (asked) => {
  const { json } = await admin.post("/eval-runs", { json: { agent_id: "assistant", ...asked } });
  const find = async () => (await admin.get(`/eval-runs/${json.id}`)).json.status;
  await expect.poll(find).not.toBe("running");
  await admin.get(`/eval-runs/${json.id}/cases`);
});
