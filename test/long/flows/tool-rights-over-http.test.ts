import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { everythingStored } from "../../support/everything-stored.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";

/** What tools with secrets and permissions get, in a run that is answered and in one of a worker. */
const STRIPE_KEY = "sk_live/4242+4242=secret";
const MAPS_KEY = "maps-key-of-this-machine";
let dataDir: string;
let platform: TestPlatform;
let stores: StoreView;
let admin: Client;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "platform-"));
  mkdirSync(join(dataDir, "secrets"));
  writeFileSync(join(dataDir, "secrets", encodeURIComponent("shop/maps")), JSON.stringify({ key: MAPS_KEY }));
  platform = await startPlatform({
    registry: specialRegistry,
    without: allBut("eval-worker", "evals", "runs", "worker"),
    dataDir,
    env: { STRIPE_KEY, TRACING: "on" },
    context: { toolSecrets: { MAPS_KEY: { secret: "shop/maps", field: "key" } } },
  });
  stores = viewStores(platform);
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const call = (tool: string, args: object) => `[[tool:${tool} ${JSON.stringify(args)}]]`;
const run = async (path: string, message: string, background = false) => {
  const form = { message, stream: "false", background: String(background), session_id: crypto.randomUUID() };
  const started = (await admin.post(`/${path}/runs`, { form })).json;
  if (!background) return started;
  const { run_id, session_id } = started;
  let found: { status?: string } = {};
  await expect
    .poll(async () => {
      found = (await admin.get(`/${path}/runs/${run_id}?session_id=${session_id}`)).json;
      return found.status;
    })
    .toBe("COMPLETED");
  return found as typeof started;
};
const tableLike = (part: string): string =>
  platform.model.tables.find(({ name }) => name.includes(part))?.name ?? "";

describe.each([
  ["answered at once", false],
  ["in the background", true],
])("a run %s", (_, background) => {
  test("gives a tool the secret that it declares", async () => {
    const { tools, content } = await run("agents/cashier", call("charge_card", {}), background);
    expect(content).toContain(`charged with a key of ${STRIPE_KEY.length} characters`);
    expect(tools[0].tool_call_error).toBe(false);
  });

  test("gives it to no other tool, nor to the environment", async () => {
    const { tools } = await run("agents/cashier", call("snoop", {}), background);
    expect(tools[0].result).toBe("{} undefined");
  });

  test.each(["answer", "error", "state", "log"])(
    "has the secret nowhere when a tool puts it into its %s",
    async (leak) => {
      const { tools, session_state } = await run("agents/cashier", call("charge_card", { leak }), background);
      if (leak === "state") expect(session_state).toMatchObject({ nested: { key: "[STRIPE_KEY]" } });
      if (leak === "answer") expect(tools[0].result).toContain("Bearer [STRIPE_KEY]");
      if (leak === "error") expect(tools[0].result).toContain("?key=[STRIPE_KEY]");
    },
  );

  test("lets a tool do what it has the permission for, and no other thing", async () => {
    const allowed = { table: tableLike("Metrics"), key: { pk: "unknown", sk: "nothing" } };
    const read = await run("agents/cashier", call("read_item", allowed), background);
    expect(read.tools[0].result).toBe("no such item");
    const refused = { table: tableLike("Databases"), key: { pk: "unknown", sk: "nothing" } };
    const other = await run("agents/cashier", call("read_item", refused), background);
    expect(other.tools[0]).toMatchObject({ tool_call_error: true });
    expect(other.tools[0].result).toContain("not authorized to perform: dynamodb:GetItem");
  });
});

test("a tool may read the objects that it declares, and no others", async () => {
  const bucket = platform.model.buckets[0] ?? "";
  const of = async (key: string) => {
    const { tools } = await run("agents/cashier", call("read_upload", { bucket, key }));
    return tools[0].result;
  };
  expect(await of("uploads/none")).toContain("key does not exist");
  expect(await of("knowledge/none")).toContain("not authorized");
});

test("a secret of a member of a team, in Secrets Manager, is read there", async () => {
  const delegate = { member_id: "guide", task: call("where_is", {}) };
  const { member_responses } = await run("teams/shop", call("delegate_task_to_member", delegate));
  expect(member_responses[0].content).toContain(`${MAPS_KEY.length} characters`);
});

test("an evaluation gives a tool its secret too", async () => {
  const charged = async () => {
    const places = await everythingStored(stores, dataDir);
    return places.filter(({ text }) => text.includes("charged with a key of")).length;
  };
  const before = await charged();
  const json = {
    eval_type: "reliability",
    agent_id: "cashier",
    input: call("charge_card", {}),
    expected_tool_calls: ["charge_card"],
  };
  expect((await admin.post("/eval-runs", { json })).json).toMatchObject({
    eval_data: { eval_status: "PASSED" },
  });
  expect(await charged()).toBeGreaterThan(before);
});

test("the log of a tool has the ids of its run, and its secrets nowhere", () => {
  const line = readFileSync(join(dataDir, "functions.log"), "utf8")
    .split("\n")
    .find((one) => one.includes("refused [STRIPE_KEY]"));
  expect(line).toMatch(/"run_id":"[^"]+"/);
  expect(line).toContain('"tool_name":"charge_card"');
  expect(line).toContain('"authorization":"[STRIPE_KEY]"');
});

test("no value of a secret is in anything that is stored, logged or put into a template", async () => {
  const places = await everythingStored(stores, dataDir);
  expect(places.length).toBeGreaterThan(20);
  places.push({ where: "the templates", text: JSON.stringify(platform.model) });
  const values = [
    STRIPE_KEY,
    encodeURIComponent(STRIPE_KEY),
    JSON.stringify(STRIPE_KEY).slice(1, -1),
    MAPS_KEY,
  ];
  const leaks = places.filter(({ text }) => values.some((value) => text.includes(value)));
  expect(leaks.map(({ where }) => where)).toEqual([]);
});
