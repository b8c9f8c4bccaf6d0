import { describe, expect } from "vitest";
import type { ListedAuditRecord } from "../../shared/schemas/audit/audit-record.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let nora: Client;
let operator: Client;
let auditor: Client;
test.beforeAll(({ platform }) => {
  const scopes = ["agents:read", "agents:run", "sessions:read"];
  nora = clientOf(platform.url, platform.token("written-nora", scopes));
  operator = clientOf(platform.url, platform.token("written-operator", ["platform:admin"]));
  auditor = clientOf(platform.url, platform.token("auditor", ["audit:read"]));
});

const recorded = async (session_id: string): Promise<ListedAuditRecord[]> =>
  (await auditor.get(`/audit?target=${session_id}&principal=written-operator`)).json.data;
const said = async (client: Client, message: string, session_id?: string): Promise<RunOutput> => {
  const form = { message, stream: "false", ...(session_id !== undefined && { session_id }) };
  return (await client.post("/agents/assistant/runs", { form })).json;
};

describe("an admin with a conversation of another user", () => {
  test("forks it into a session of their own, which its user does not see", async () => {
    const { session_id } = await said(nora, "my order is late");
    const { status, json } = await operator.post(`/agents/assistant/sessions/${session_id}/fork`);
    expect([status, json.forked_from_session_id]).toEqual([200, session_id]);
    const copy = await operator.get(`/sessions/${json.session_id}`);
    expect([copy.status, copy.json.user_id]).toEqual([200, "written-operator"]);
    const after = await said(operator, "what if", json.session_id);
    expect(after.user_id).toBe("written-operator");
    const runs: RunOutput[] = (await operator.get(`/sessions/${json.session_id}/runs`)).json;
    expect(runs.map(({ user_id }) => user_id)).toEqual(["written-operator", "written-operator"]);
    expect((await nora.get(`/sessions/${json.session_id}`)).status).toBe(404);
    const own: RunOutput[] = (await nora.get(`/sessions/${session_id}/runs`)).json;
    expect(own).toHaveLength(1);
    expect(await recorded(session_id)).toContainEqual(
      expect.objectContaining({ operation: "forkAgentSession", on_behalf_of: "written-nora" }),
    );
  });

  test("is recorded each time that they write into it, with the session", async () => {
    const { session_id } = await said(nora, "and where is it now");
    await said(operator, "I am looking for it", session_id);
    await said(operator, "here it is", session_id);
    const writes = (await recorded(session_id)).filter(({ operation }) => operation === "createAgentRun");
    expect(writes).toMatchObject([1, 2].map(() => ({ outcome: "done", on_behalf_of: "written-nora" })));
    await said(nora, "thank you", session_id);
    expect((await auditor.get("/audit?principal=written-nora")).json.data).toEqual([]);
  });
});
