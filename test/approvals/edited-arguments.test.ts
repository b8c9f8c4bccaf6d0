import { describe, expect } from "vitest";
import type { Approval } from "../../shared/schemas/runs/approval.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
let admin: Client;
test.beforeAll(({ platform }) => {
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run", "approvals:read"]));
  admin = clientOf(platform.url, platform.adminToken);
});

type Call = NonNullable<RunOutput["tools"]>[number];

const start = async (agent: string, message: string): Promise<RunOutput> =>
  (await maria.post(`/agents/${agent}/runs`, { form: { message, stream: "false" } })).json;
const goOn = (agent: string, { run_id, session_id }: RunOutput, tools: readonly unknown[], client = maria) =>
  client.post(`/agents/${agent}/runs/${run_id}/continue`, {
    form: { session_id, stream: "false", tools: JSON.stringify(tools) },
  });
const read = async (agent: string, { run_id, session_id }: RunOutput): Promise<RunOutput> =>
  (await maria.get(`/agents/${agent}/runs/${run_id}?session_id=${session_id}`)).json;
const callOf = ({ tools = [] }: RunOutput): Call => {
  const [call] = tools;
  if (!call) throw new Error("the run has made no call");
  return call;
};
const approvalOf = async (id: string | null): Promise<Approval> => (await admin.get(`/approvals/${id}`)).json;

const refund = () => start("refund-desk", '[[tool:issue_refund {"order_id":"A-1","amount":40}]]');
const close = () => start("account-desk", '[[tool:close_account {"account":"K-7"}]]');

describe("a call that its user confirms with other arguments", () => {
  test("is made as edited, and the run holds both", async () => {
    const paused = await refund();
    const edited = { order_id: "A-1", amount: 4 };
    const answer = { ...callOf(paused), tool_args: edited, confirmed: true };
    const { status, json } = await goOn("refund-desk", paused, [answer]);
    expect([status, json.status]).toEqual([200, "COMPLETED"]);
    expect(callOf(json)).toMatchObject({
      tool_args: edited,
      proposed_args: { order_id: "A-1", amount: 40 },
      result: "Refunded 4 for order A-1.",
    });
    const message = json.messages.find(({ role }: { role: string }) => role === "tool");
    expect(message).toMatchObject({
      tool_args: edited,
      content: expect.stringContaining("A person changed"),
    });
  });

  test("waits on where the tool's schema refuses one, which the answer names", async () => {
    const paused = await refund();
    const answer = { ...callOf(paused), tool_args: { order_id: "A-1", amount: "four" }, confirmed: true };
    const refused = await goOn("refund-desk", paused, [answer]);
    expect(refused.status).toBe(400);
    expect(refused.json.detail).toMatch(/issue_refund\): amount: /);
    expect((await read("refund-desk", paused)).status).toBe("PAUSED");
    const again = await goOn("refund-desk", paused, [{ ...callOf(paused), confirmed: true }]);
    expect(callOf(again.json).result).toBe("Refunded 40 for order A-1.");
  });

  test("is recorded with both where answers are audited", async () => {
    const paused = await start("account-desk", '[[tool:change_address {"account":"K-7","city":"Bonn"}]]');
    const edited = { account: "K-7", city: "Kiel" };
    const { json } = await goOn("account-desk", paused, [
      { ...callOf(paused), tool_args: edited, confirmed: true },
    ]);
    const call = callOf(json);
    expect(call.result).toBe("Letters for K-7 go to Kiel.");
    expect(await approvalOf(call.approval_id)).toMatchObject({
      status: "approved",
      tool_args: { account: "K-7", city: "Bonn" },
      edited_args: { [call.tool_call_id]: edited },
    });
  });
});

describe("a call that needs an approval", () => {
  const edited = { account: "K-8" };

  test("is made as its approver edited it, whatever its requester sends back", async () => {
    const paused = await close();
    const { approval_id, tool_call_id } = callOf(paused);
    const json = { status: "approved", edited_args: { [tool_call_id]: edited } };
    const resolved = await admin.post(`/approvals/${approval_id}/resolve`, { json });
    expect(resolved.json).toMatchObject({
      status: "approved",
      tool_args: { account: "K-7" },
      edited_args: { [tool_call_id]: edited },
    });
    const ended = await goOn("account-desk", paused, [{ ...callOf(paused), confirmed: true }]);
    expect(callOf(ended.json)).toMatchObject({
      result: "Account K-8 is closed.",
      tool_args: edited,
      proposed_args: { account: "K-7" },
    });
  });

  test("is made so too where the approver has the run go on", async () => {
    const paused = await close();
    const { approval_id, tool_call_id } = callOf(paused);
    const json = { status: "approved", continue: true, edited_args: { [tool_call_id]: edited } };
    expect((await admin.post(`/approvals/${approval_id}/resolve`, { json })).json.run.waits_for).toBe(0);
    await expect
      .poll(async () => callOf(await read("account-desk", paused)).result)
      .toBe("Account K-8 is closed.");
  });

  test("and so where the approver continues the run with other arguments", async () => {
    const paused = await close();
    const answer = { ...callOf(paused), tool_args: edited, confirmed: true };
    const ended = await goOn("account-desk", paused, [answer], admin);
    expect(callOf(ended.json).result).toBe("Account K-8 is closed.");
    expect(await approvalOf(callOf(paused).approval_id)).toMatchObject({
      tool_args: { account: "K-7" },
      edited_args: { [callOf(paused).tool_call_id]: edited },
    });
  });

  test("cannot be edited by its requester once it is approved", async () => {
    const paused = await close();
    await admin.post(`/approvals/${callOf(paused).approval_id}/resolve`, { json: { status: "approved" } });
    const answer = { ...callOf(paused), tool_args: edited, confirmed: true };
    const refused = await goOn("account-desk", paused, [answer]);
    expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining("arguments") } });
    expect((await read("account-desk", paused)).status).toBe("PAUSED");
  });

  test.each([
    ["an argument that its schema refuses", (id: string) => ({ [id]: { account: "" } }), "account: "],
    ["a call that it does not cover", () => ({ other: edited }), "covers no call other"],
  ])("stays pending where the approver edits %s", async (_, edits, detail) => {
    const { approval_id, tool_call_id } = callOf(await close());
    const json = { status: "approved", edited_args: edits(tool_call_id) };
    const refused = await admin.post(`/approvals/${approval_id}/resolve`, { json });
    expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
    expect((await approvalOf(approval_id)).status).toBe("pending");
  });
});

describe("what a person fills in", () => {
  test("is refused by its field where the tool's schema refuses it, and the run waits on", async () => {
    const paused = await start("front-desk", '[[tool:book_table {"restaurant":"Olivo"}]]');
    const filled = (guests: unknown) => ({
      ...callOf(paused),
      user_input_schema: callOf(paused).user_input_schema?.map((field) => ({
        ...field,
        value: { restaurant: "Olivo", guests, time: "19:30" }[String(field.name)],
      })),
    });
    const refused = await goOn("front-desk", paused, [filled(0)]);
    expect(refused.status).toBe(400);
    expect(refused.json.detail).toMatch(/book_table\): guests: /);
    expect((await read("front-desk", paused)).status).toBe("PAUSED");
    const ended = await goOn("front-desk", paused, [filled(2)]);
    expect(callOf(ended.json).result).toBe("Booked Olivo for 2 at 19:30.");
  });
});
