import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { everythingStored } from "../../support/everything-stored.ts";
import { killablePlatform } from "../../support/killable-platform.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

/** What is said begins with this, and ends with where it was said. */
const MARK = "swordfish";
const PATIENCE = { timeout: 300_000, interval: 1_000 };
const scopes = [
  ...["sessions", "schedules", "evals", "memories", "learnings", "knowledge", "webhooks"].flatMap(
    (family) => [`${family}:read`, `${family}:write`],
  ),
  ...["agents:read", "agents:run", "service_accounts:read", "service_accounts:write", "feedback:write"],
];

const ok = async (answer: ReturnType<Client["post"]>) => {
  const { status, text, json } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return json;
};

/** Has a user leave something of every kind. */
async function plant(user: Client, name: string, mark: string): Promise<void> {
  const first = await ok(user.run(`${mark}-message`, { session_id: `${name}-first` }));
  await ok(
    user.post(`/runs/${first.run_id}/feedback`, {
      json: { session_id: `${name}-first`, key: "thumb", score: 0, comment: `${mark}-comment` },
    }),
  );
  await user.settled(await user.submit(`${mark}-background`, { session_id: `${name}-second` }));
  await ok(user.post("/memories", { json: { memory: `${mark}-memory`, topics: [] } }));
  await ok(
    user.post("/learnings", {
      json: { learning_type: "user_profile", user_id: name, content: { summary: `${mark}-learning` } },
    }),
  );
  await ok(
    user.post("/schedules", {
      json: {
        ...{ name: `${name}-yearly`, cron_expr: "0 0 29 2 *", endpoint: "/agents/assistant/runs" },
        payload: { message: `${mark}-schedule` },
      },
    }),
  );
  await ok(
    user.post("/knowledge/content", {
      form: { name: `${mark}-name`, text_content: `${mark}-content` },
    }),
  );
  await ok(
    user.post("/eval-runs", {
      json: {
        ...{ agent_id: "assistant", eval_type: "reliability", input: `${mark}-question` },
        expected_tool_calls: ["none"],
      },
    }),
  );
  await ok(user.post("/me/views", { json: { name: `${mark}-view`, to: "/runs?status=ERROR" } }));
  const cases = new FormData();
  cases.append("name", `${mark}-dataset`);
  cases.append("file", new File([`input\n${mark}-case\n`], "cases.csv"));
  await ok(user.post("/eval-datasets", { form: cases }));
  await ok(
    user.post("/webhook-endpoints", {
      json: { url: "https://receiver.example/", description: `${mark}-endpoint` },
    }),
  );
  await ok(
    user.post("/service-accounts", { json: { name: `${name}-nightly`, scopes: [{ scope: "agents:read" }] } }),
  );
}

describe("everything of a user is removed by one act", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "user-data-"));
  let platform: TestPlatform;
  let view: StoreView;
  let admin: Client;
  let users: Record<"maria" | "otto", Client>;
  beforeAll(async () => {
    platform = await startPlatform({ dataDir, env: { TRACING: "" } });
    view = viewStores(platform);
    admin = clientOf(platform.url, platform.adminToken);
    const userOf = (name: string) => clientOf(platform.url, platform.token(name, scopes));
    users = { maria: userOf("maria"), otto: userOf("otto") };
  });
  afterAll(async () => {
    view?.close();
    await platform?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const dataOf = async (name: string) => (await admin.get(`/users/${name}/data`)).json;
  const one = { schedules: 1, webhook_endpoints: 1, service_accounts: 1, apps: 0, memories: 1, learnings: 1 };
  const planted = { ...one, contents: 1, evaluations: 1, datasets: 1, views: 1 };
  /** Where a user has left something, but for the audit: of settings it has what they were. */
  const marksOf = async (mark: string) => {
    const stored = await everythingStored(view, dataDir);
    const places = stored.filter(({ where }) => !where.startsWith("audit "));
    const marks = places.flatMap(({ where, text }) =>
      (text.match(new RegExp(`${mark}-[a-z]+`, "g")) ?? []).map(
        (found) => `${where.split(" ")[0]}: ${found}`,
      ),
    );
    return [...new Set(marks)].sort();
  };

  test(
    "it is counted before, removed with all that was said, and what others have is left as it is",
    PATIENCE,
    async () => {
      await plant(users.maria, "maria", MARK);
      await plant(users.otto, "otto", "marlin");
      expect((await users.otto.get("/users/maria/data")).status).toBe(403);
      expect((await users.otto.call("DELETE", "/users/maria/data")).status).toBe(403);
      expect(await dataOf("maria")).toMatchObject({ user_id: "maria", found: planted, removal: null });
      const others = { data: (await dataOf("otto")).found, marks: await marksOf("marlin") };
      // The session of the evaluation is the user's too.
      expect(others.data.sessions).toBeGreaterThanOrEqual(3);

      const asked = await admin.call("DELETE", "/users/maria/data");
      expect(asked.status).toBe(202);
      expect(asked.json).toMatchObject({ found: planted, removal: { status: "removing" } });
      const again = await admin.call("DELETE", "/users/maria/data");
      expect(again.json.removal.requested_at).toBe(asked.json.removal.requested_at);

      await expect.poll(async () => (await dataOf("maria")).removal.status, PATIENCE).toBe("completed");
      const { found, removal } = await dataOf("maria");
      expect(Object.values(found).every((count) => count === 0)).toBe(true);
      expect(removal.removed).toMatchObject(planted);
      expect(removal.removed.sessions).toBeGreaterThanOrEqual(3);
      expect(await marksOf(MARK)).toEqual([]);
      expect((await users.maria.get("/memories")).json.data).toEqual([]);
      expect((await users.maria.get("/me/views")).json.data).toEqual([]);

      expect((await dataOf("otto")).found).toEqual(others.data);
      expect(await marksOf("marlin")).toEqual(others.marks);
      const records = (await admin.get("/audit?operation=removeUserData&limit=100")).json.data;
      const done = records.map(({ outcome }: { outcome: string }) => outcome);
      expect(done).toContain("changed");
    },
  );
});

test("it goes on after kill -9, until nothing is left", PATIENCE, async () => {
  const platform = await killablePlatform({ TRACING: "off" });
  try {
    await platform.start();
    const { maria, admin } = platform;
    for (let i = 0; i < 12; i += 1) await ok(maria.run(`hello ${i}`, { session_id: `killed-${i}` }));
    await ok(admin.run("mine", { session_id: "kept" }));
    const dataOf = async (name: string) => (await admin.get(`/users/${name}/data`)).json;
    expect((await dataOf("maria")).found).toMatchObject({ sessions: 12 });
    expect((await admin.call("DELETE", "/users/maria/data")).status).toBe(202);
    await platform.kill();
    await platform.start();
    await expect.poll(async () => (await dataOf("maria")).found.sessions, PATIENCE).toBe(0);
    await expect
      .poll(async () => (await admin.get("/runs?user_id=maria")).json.data.length, PATIENCE)
      .toBe(0);
    expect((await dataOf("admin")).found).toMatchObject({ sessions: 1 });
  } finally {
    await platform.end();
  }
});
