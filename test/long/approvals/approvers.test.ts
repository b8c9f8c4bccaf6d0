import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Approval } from "../../../shared/schemas/runs/approval.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
/** Requests, and may resolve nothing. */
let maria: Client;
/** Requests, and holds the scope to resolve. */
let lead: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ env: { APPROVERS: "scope" } });
  const scopes = ["agents:read", "agents:run", "approvals:read"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  lead = clientOf(platform.url, platform.token("lead", [...scopes, "approvals:write", "approvals:delete"]));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

type Form = Record<string, string>;
const closing = async (client = maria): Promise<RunOutput> =>
  (
    await client.post("/agents/account-desk/runs", {
      form: { message: '[[tool:close_account {"account":"K-7"}]]', stream: "false" },
    })
  ).json;
const goOn = (run: RunOutput, client: Client, form: Form = {}) =>
  client.post(`/agents/account-desk/runs/${run.run_id}/continue`, {
    form: { session_id: run.session_id, stream: "false", ...form },
  });
const idOf = ({ tools = [] }: RunOutput) => tools[0]?.approval_id ?? "none";
const approvalOf = async (run: RunOutput): Promise<Approval> =>
  (await admin.get(`/approvals/${idOf(run)}`)).json;
const resolve = (run: RunOutput, client: Client, status = "approved") =>
  client.post(`/approvals/${idOf(run)}/resolve`, { json: { status } });
const yes = ({ tools = [] }: RunOutput) => ({
  tools: JSON.stringify(tools.map((call) => ({ ...call, confirmed: true }))),
});
const ANOTHER_APPROVER = "another principal with approvals:write";

describe("where the scope makes an approver", () => {
  test("its holder sees everybody's approvals, and others still only their own", async () => {
    const run = await closing();
    const own = await closing(lead);
    const idsOf = async (client: Client) =>
      (await client.get("/approvals?status=pending")).json.data.map(({ id }: Approval) => id);
    expect(await idsOf(lead)).toEqual(expect.arrayContaining([idOf(run), idOf(own)]));
    expect(await idsOf(maria)).toContain(idOf(run));
    expect(await idsOf(maria)).not.toContain(idOf(own));
    expect((await lead.get(`/approvals/${idOf(run)}`)).status).toBe(200);
    expect((await lead.get(`/approvals/${idOf(run)}/status`)).status).toBe(200);
    expect((await maria.get(`/approvals/${idOf(own)}`)).status).toBe(404);
    const counted = async (client: Client, query = "") =>
      (await client.get(`/approvals/count${query}`)).json.count;
    expect(await counted(lead)).toBeGreaterThan(await counted(lead, "?user_id=lead"));
    expect(await counted(maria, "?user_id=lead")).toBe(await counted(maria));
  });

  test("its holder resolves another's request, once, and the requester goes on", async () => {
    const run = await closing();
    const refused = await goOn(run, maria, yes(run));
    expect(refused).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining(ANOTHER_APPROVER) },
    });
    expect((await resolve(run, maria)).status).toBe(403);
    expect(await resolve(run, lead)).toMatchObject({ status: 200, json: { resolved_by: "lead" } });
    expect((await resolve(run, lead, "rejected")).status).toBe(409);
    expect((await goOn(run, maria)).json).toMatchObject({ content: "Account K-7 is closed." });
  });

  test("no principal resolves its own request, by whichever way", async () => {
    for (const client of [lead, admin]) {
      const run = await closing(client);
      const resolved = await resolve(run, client);
      expect(resolved).toMatchObject({
        status: 403,
        json: { detail: expect.stringContaining(ANOTHER_APPROVER) },
      });
      const continued = await goOn(run, client, yes(run));
      expect(continued).toMatchObject({
        status: 403,
        json: { detail: expect.stringContaining(ANOTHER_APPROVER) },
      });
      expect((await approvalOf(run)).status).toBe("pending");
    }
  });

  test("no principal resolves its own request over A2A", async () => {
    const asked = (message: object) =>
      lead.post("/a2a/agents/account-desk/v1/message:send", {
        headers: { "a2a-version": "1.0" },
        json: { message: { role: "ROLE_USER", messageId: crypto.randomUUID(), ...message } },
      });
    const first = await asked({ parts: [{ text: '[[tool:close_account {"account":"K-7"}]]' }] });
    const { id, contextId } = first.json.task;
    const answer = await asked({ taskId: id, contextId, parts: [{ text: "yes" }] });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(ANOTHER_APPROVER);
  });

  test("an admin resolves another's by continuing the run, and another admin's by the route", async () => {
    const run = await closing();
    expect((await goOn(run, admin, yes(run))).json.status).toBe("COMPLETED");
    expect(await approvalOf(run)).toMatchObject({ status: "approved", resolved_by: "admin" });
    const other = await closing(admin);
    expect((await resolve(other, lead, "rejected")).status).toBe(200);
  });

  test("approvals are still deleted by admins alone", async () => {
    const run = await closing();
    expect((await lead.call("DELETE", `/approvals/${idOf(run)}`)).status).toBe(404);
    expect((await admin.call("DELETE", `/approvals/${idOf(run)}`)).status).toBe(204);
  });
});

describe("an account of one's own", () => {
  const held = ["agents:read", "agents:run", "approvals:read", "approvals:write"];
  const accountOf = async (owner: Client): Promise<Client> => {
    const json = {
      name: `own-${crypto.randomUUID()}`,
      scopes: held.map((scope) => ({ scope })),
      allow_privileged_scopes: true,
    };
    return clientOf(platform.url, (await owner.post("/service-accounts", { json })).json.token);
  };
  const owner = (sub: string) =>
    clientOf(platform.url, platform.token(sub, [...held, "service_accounts:write"]));

  test("asks for nothing that its owner may approve, and approves nothing that its owner asks for", async () => {
    const nora = owner("nora");
    const account = await accountOf(nora);
    const asked = await closing(account);
    expect((await resolve(asked, nora)).status).toBe(403);
    expect((await goOn(asked, account, yes(asked))).status).toBe(403);
    const own = await closing(nora);
    expect((await resolve(own, account)).status).toBe(403);
    const sibling = await accountOf(nora);
    expect((await resolve(asked, sibling)).status).toBe(403);
    expect((await resolve(asked, owner("otto"))).status).toBe(200);
  });
});
