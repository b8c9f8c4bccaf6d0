import { expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

// The model writes them in no alphabetical order, and the one of the numbers' names comes late.
const sum = '[[tool:add_numbers {"b":3,"a":2}]]';
const payment = '[[tool:pay_invoice {"invoice_id":"I1","amount":5}]]';

const asked = '"tool_args":{"invoice_id":"I1","amount":5}';

let maria: Client;
let admin: Client;
test.beforeAll(({ platform }) => {
  const scopes = ["agents:run", "agents:read", "sessions:read"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

const argumentsIn = (text: string): string[] => text.match(/"tool_args":\{[^}]*\}/g) ?? [];

test("the arguments of a call keep their model's order in the record of a run, whoever reads it", async () => {
  const run = (await maria.run(sum)).json;
  const { text } = await maria.poll(run);
  expect(new Set(argumentsIn(text))).toEqual(new Set(['"tool_args":{"b":3,"a":2}']));
  const { text: session } = await maria.get(`/sessions/${run.session_id}/runs`);
  expect(new Set(argumentsIn(session))).toEqual(new Set(['"tool_args":{"b":3,"a":2}']));
});

test("and where the run waits for a person, in the run and in the approval", async () => {
  const form = { message: payment, stream: "false" };
  const run = (await maria.post("/agents/front-desk/runs", { form })).json;
  expect(run.status).toBe("PAUSED");
  const { text } = await maria.get(`/agents/front-desk/runs/${run.run_id}?session_id=${run.session_id}`);
  expect(new Set(argumentsIn(text))).toEqual(new Set([asked]));
  const { text: approvals, json } = await admin.get(`/approvals?run_id=${run.run_id}`);
  expect(json.data).toHaveLength(1);
  expect(new Set(argumentsIn(approvals))).toEqual(new Set([asked]));
});
