import { describe, expect } from "vitest";
import type { Approval } from "../../shared/schemas/runs/approval.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
let admin: Client;
test.beforeAll(({ platform }) => {
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run", "sessions:read"]));
  admin = clientOf(platform.url, platform.adminToken);
});

const written = '{"zeta":1,"order_id":"A1","nested":{"b":1,"a":[{"y":1,"x":2}]},"amount":5,"alpha":true}';

describe("the arguments of a call are read in the order in which the model wrote them", () => {
  test("in the record of a paused run, in its messages and in what it waits for", async () => {
    const form = { message: `[[tool:issue_refund ${written}]]`, stream: "false" };
    const run: RunOutput = (await maria.post("/agents/refund-desk/runs", { form })).json;
    expect(run.status).toBe("PAUSED");
    const path = `/agents/refund-desk/runs/${run.run_id}?session_id=${run.session_id}`;
    const read: RunOutput = (await maria.get(path)).json;
    const seen = JSON.stringify(read.tools?.map((call) => call.tool_args));
    expect(seen).toBe(`[${written}]`);
    expect(JSON.stringify(read.requirements?.map((one) => one.tool_execution.tool_args))).toBe(seen);
    const tools = JSON.stringify([{ ...read.tools?.[0], confirmed: false }]);
    const end = { form: { session_id: run.session_id, stream: "false", tools } };
    await maria.post(`/agents/refund-desk/runs/${run.run_id}/continue`, end);
    const ended: RunOutput = (await maria.get(path)).json;
    expect(ended.status).toBe("COMPLETED");
    const said = ended.messages?.flatMap(({ tool_args }) => (tool_args ? [tool_args] : []));
    expect(JSON.stringify(said)).toBe(seen);
  });

  test("in the approval that a person decides on", async () => {
    const text = '{"reason":"moved","account":"K-7","by":"Eva"}';
    const form = { message: `[[tool:close_account ${text}]]`, stream: "false" };
    const run: RunOutput = (await maria.post("/agents/account-desk/runs", { form })).json;
    const id = run.tools?.[0]?.approval_id;
    const approval: Approval = (await admin.get(`/approvals/${id}`)).json;
    expect(JSON.stringify(approval.tool_args)).toBe(text);
    expect(JSON.stringify(approval.requirements?.map((one) => one.tool_execution.tool_args))).toBe(
      `[${text}]`,
    );
  });

  test("in the list of its session's runs", async () => {
    const run: RunOutput = (await maria.run('[[tool:add_numbers {"b":3,"a":2}]]')).json;
    const { text } = await maria.get(`/sessions/${run.session_id}/runs`);
    expect(new Set(text.match(/"tool_args":\{[^}]*\}/g))).toEqual(new Set(['"tool_args":{"b":3,"a":2}']));
  });
});
