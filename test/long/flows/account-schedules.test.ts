import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nameKey } from "../../../shared/stores/service-accounts/account-item.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { readCompleteLines } from "../../support/complete-lines.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { deliverSlot } from "../../support/schedule-slots.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

const dataDir = mkdtempSync(join(tmpdir(), "account-schedules-"));
let platform: TestPlatform;
let admin: Client;
let maria: Client;
let otto: Client;
let stores: StoreView;
const manage = ["service_accounts:read", "service_accounts:write", "service_accounts:delete"];
const scheduling = ["schedules:read", "schedules:write", "agents:run", "agents:read", "sessions:read"];
beforeAll(async () => {
  platform = await startPlatform({ dataDir, context: { serviceAccountCacheSeconds: "0" } });
  admin = clientOf(platform.url, platform.adminToken);
  maria = clientOf(platform.url, platform.token("maria", [...manage, ...scheduling]));
  otto = clientOf(platform.url, platform.token("otto", [...manage, ...scheduling]));
  stores = viewStores(platform);
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

let names = 0;
const aName = () => `robot-${++names}`;
const scoped = (scopes: readonly string[]) => scopes.map((scope) => ({ scope }));
const mint = async (name: string, scopes: readonly string[] = scheduling, by = maria) => {
  const json = { name, scopes: scoped(scopes), allow_privileged_scopes: true };
  const answer = await by.post("/service-accounts", { json });
  return { ...answer, account: answer.json, client: clientOf(platform.url, answer.json?.token) };
};
const revoke = async (id: string, by = maria) =>
  expect((await by.call("DELETE", `/service-accounts/${id}`)).status).toBe(204);

let made = 0;
/** A schedule that never fires by itself while the tests run. */
async function aSchedule(owner: Client, agent = "assistant"): Promise<string> {
  made += 1;
  const json = {
    name: `schedule ${made}`,
    cron_expr: "0 0 29 2 *",
    endpoint: `/agents/${agent}/runs`,
    payload: { message: "hello" },
    max_retries: 3,
    retry_delay_seconds: 1,
  };
  const answer = await owner.post("/schedules", { json });
  expect(answer.text).toContain('"id"');
  return answer.json.id;
}
const shown = async (id: string) => (await admin.get(`/schedules/${id}`)).json;
const runsOf = async (id: string) => (await admin.get(`/schedules/${id}/runs`)).json.data;

/** Delivers a slot and waits for what the executor records. */
async function fire(id: string) {
  const before = (await runsOf(id)).length;
  await deliverSlot(platform, id, Date.now() + before * 1000);
  for (const until = Date.now() + HANGS_AFTER_MS; Date.now() < until; await pause(50)) {
    const runs = await runsOf(id);
    if (runs.length > before && runs[0].status !== "running") return runs[0];
  }
  throw new Error("the slot was not recorded");
}
/** A line of a function may still be on its way to the log when the function has answered. */
const expectAudited = (id: string, reason: string) =>
  expect
    .poll(() =>
      readCompleteLines(join(dataDir, "functions.log"))
        .filter((line) => line.includes('"audit"') && line.includes(id))
        .join(),
    )
    .toContain(reason);

describe("a revoked service account", () => {
  test("leaves its schedules disabled, with a reason that its owner's admin reads, on record", async () => {
    const { account, client } = await mint(aName());
    const ids = [await aSchedule(client), await aSchedule(client)];
    const others = await aSchedule(maria);
    await revoke(account.id);
    for (const id of ids) {
      const reason = `owner_revoked:${account.principal}`;
      expect(await shown(id)).toMatchObject({ enabled: false, disabled_reason: reason });
      await expectAudited(id, reason);
    }
    expect((await shown(others)).enabled).toBe(true);
    const enabled = await admin.post(`/schedules/${ids[0]}/enable`);
    expect(enabled).toMatchObject({ status: 409, json: { detail: expect.stringContaining("revoked") } });
    await revoke(account.id);
  });

  test("has many schedules disabled too", async () => {
    const { account, client } = await mint(aName());
    const ids: string[] = [];
    // Where a thread serves one invocation at a time, seventy at once would wait for as many threads to start.
    while (ids.length < 70)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, () => aSchedule(client)))));
    await revoke(account.id);
    const all = await Promise.all(ids.map(shown));
    expect(all.filter(({ enabled }) => enabled)).toEqual([]);
  });

  test("does not disable the schedules of the account that has its name now", async () => {
    const first = await mint(aName());
    await revoke(first.account.id);
    const second = await mint(first.account.name);
    const id = await aSchedule(second.client);
    await revoke(first.account.id);
    expect((await shown(id)).enabled).toBe(true);
    expect(await fire(id)).toMatchObject({ status: "success" });
  });
});

describe("a firing", () => {
  test("of a schedule whose account may call goes through", async () => {
    const { client } = await mint(aName(), [
      ...scheduling.filter((one) => one !== "agents:run"),
      "agents:assistant:run",
    ]);
    const id = await aSchedule(client);
    expect(await fire(id)).toMatchObject({ status: "success" });
  });

  const patchName = (name: string, expression: string, values: Record<string, unknown>) =>
    stores.db.client.send(
      new UpdateCommand({
        TableName: stores.db.tables.service_accounts,
        Key: nameKey(name),
        UpdateExpression: expression,
        ExpressionAttributeValues: values,
      }),
    );

  /** What an account may have become between two firings, written as other requests or other versions write it. */
  const cases: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    owner_revoked: (name) => patchName(name, "SET revoked_at = :at", { ":at": 1 }),
    owner_expired: (name) => patchName(name, "SET valid_until = :at", { ":at": 1 }),
    owner_scope: (name) => patchName(name, "SET scopes = :scopes", { ":scopes": ["agents:other:run"] }),
  };
  test.each(Object.entries(cases))(
    "finds %s, fails once, and disables the schedule",
    async (cause, becomes) => {
      const { account, client } = await mint(aName());
      const id = await aSchedule(client);
      await becomes(account.name);
      const run = await fire(id);
      expect(run).toMatchObject({ status: "failed", status_code: 403, run_id: null });
      expect(run.error).toContain("owner may not make this call");
      const schedule = await shown(id);
      expect(schedule.enabled).toBe(false);
      expect(schedule.disabled_reason).toContain(`${cause}:${account.principal}`);
      await expectAudited(id, cause);
      expect(await runsOf(id)).toHaveLength(1);
    },
  );

  test("reads the account where the name is of the first shape", async () => {
    const { account, client } = await mint(aName());
    const id = await aSchedule(client);
    await stores.db.client.send(
      new UpdateCommand({
        TableName: stores.db.tables.service_accounts,
        Key: nameKey(account.name),
        UpdateExpression: "REMOVE #owner, scopes SET shape = :one",
        ExpressionAttributeNames: { "#owner": "owner" },
        ExpressionAttributeValues: { ":one": 1 },
      }),
    );
    expect(await fire(id)).toMatchObject({ status: "success" });
    const taken = await mint(account.name, scheduling, otto);
    expect(taken.json.detail).toContain("another owner");
  });

  test("finds that the name was minted again with fewer scopes", async () => {
    const first = await mint(aName());
    const id = await aSchedule(first.client);
    await revoke(first.account.id);
    const second = await mint(first.account.name);
    expect((await second.client.post(`/schedules/${id}/enable`)).status).toBe(200);
    await revoke(second.account.id);
    const third = await mint(first.account.name, ["schedules:read", "schedules:write", "sessions:read"]);
    expect((await third.client.post(`/schedules/${id}/enable`)).status).toBe(403);
    expect((await admin.post(`/schedules/${id}/enable`)).status).toBe(409);
  });

  test("by hand is refused too, with the reason", async () => {
    const { account, client } = await mint(aName());
    const id = await aSchedule(client);
    await patchName(account.name, "SET valid_until = :at", { ":at": 1 });
    const { json } = await admin.post(`/schedules/${id}/trigger`);
    expect(json).toMatchObject({ status: "failed", status_code: 403, run_id: null });
    expect((await shown(id)).enabled).toBe(false);
  });
});

describe("a name", () => {
  test("belongs to who first had it, also after it was revoked", async () => {
    const { account, client } = await mint(aName());
    await client.run("a secret");
    expect((await mint(account.name, scheduling, otto)).status).toBe(409);
    await revoke(account.id);
    const refused = await mint(account.name, scheduling, otto);
    expect(refused).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("another owner") },
    });
    const again = await mint(account.name);
    expect(again.account).toMatchObject({ principal: account.principal, user_id: "maria" });
    expect((await again.client.get("/sessions")).json.data).toHaveLength(1);
  });

  test("stays its owner's where an admin mints it again", async () => {
    const { account } = await mint(aName());
    await revoke(account.id);
    const again = await mint(account.name, scheduling, admin);
    expect(again.account).toMatchObject({ user_id: "maria", created_by: "admin" });
    await revoke(again.account.id);
    expect((await mint(account.name, scheduling, otto)).status).toBe(409);
    expect((await mint(account.name)).status).toBe(201);
  });

  test("that an admin had first is no user's", async () => {
    const { account } = await mint(aName(), scheduling, admin);
    await revoke(account.id, admin);
    expect((await mint(account.name)).status).toBe(409);
    expect((await mint(account.name, scheduling, admin)).account.user_id).toBe("admin");
  });

  test("goes to one of many who mint it at once, and stays there", async () => {
    const name = aName();
    const both = [maria, otto];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => mint(name, scheduling, both[i % 2])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const winner = answers.find(({ status }) => status === 201);
    const owner = winner?.account.user_id === "maria" ? maria : otto;
    await revoke(winner?.account.id, owner);
    const later = await Promise.all(both.map((by) => mint(name, scheduling, by)));
    expect(later.map(({ status }) => status)).toEqual(both.map((by) => (by === owner ? 201 : 409)));
  });
});
