import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";

let platform: TestPlatform;
let receiver: Receiver;
let maria: Client;

const scopes = [
  ...["agents:run", "agents:read", "sessions:delete", "schedules:read", "schedules:write"],
  ...["webhooks:read", "webhooks:write", "webhooks:delete"],
];

beforeAll(async () => {
  receiver = await startReceiver();
  platform = await startPlatform({ env: { FETCH_ALLOWED_HOSTS: receiver.host } });
  maria = clientOf(platform.url, platform.token("maria", scopes));
});
afterAll(async () => {
  await platform?.stop();
  await receiver?.stop();
});

const secretOf = async (client: Client): Promise<string> =>
  (await client.get("/webhook-callback-secret")).json.secret;

test("a completed background run is sent to its callback_url, signed for its owner", async () => {
  const run = await maria.submit("Hello", { callback_url: receiver.url });
  const message = await receiver.until(({ body }) => body.data.run_id === run.run_id);
  expect(message.body).toMatchObject({
    type: "run.completed",
    data: {
      run_id: run.run_id,
      session_id: run.session_id,
      user_id: "maria",
      component: { type: "agent", id: "assistant" },
      status: "COMPLETED",
      content: expect.stringContaining("Hello"),
    },
  });
  expect(message.isSignedBy(await secretOf(maria))).toBe(true);
  const other = clientOf(platform.url, platform.token("tom", scopes));
  expect(message.isSignedBy(await secretOf(other))).toBe(false);
});

test("sixty callbacks to one host follow each other without a pause", async () => {
  const answeredAt: number[] = [];
  receiver.decide((message, response) => {
    if (message.path === "/hooks/burst") answeredAt.push(Date.now());
    setTimeout(() => response.writeHead(204).end(), 50);
  });
  const submitted = Array.from({ length: 60 }, (_, i) =>
    maria.submit(`burst ${i}`, { callback_url: `${receiver.url}/burst` }),
  );
  await Promise.all(submitted);
  await expect.poll(() => answeredAt.length, { interval: 100 }).toBe(60);
  receiver.decide();
  // What waits for a place gets the next one that is free; by its time alone it would come 5 to 30 s later.
  const gaps = answeredAt.map((at, i) => at - (answeredAt[i - 1] ?? at));
  expect(Math.max(...gaps)).toBeLessThan(4_000);
});

test("a host that does not answer holds as many messages as it has places; once it answers it gets the others, each once", async () => {
  const held: (() => void)[] = [];
  let holds = true;
  receiver.decide((_message, response) => {
    const answer = () => void response.writeHead(204).end();
    if (holds) held.push(answer);
    else answer();
  });
  const submitted = Array.from({ length: 12 }, (_, i) =>
    maria.submit(`held ${i}`, { callback_url: `${receiver.url}/held` }),
  );
  const runs = await Promise.all(submitted);
  for (const run of runs) await maria.settled(run);
  await expect.poll(() => held.length).toBe(PLACES);
  holds = false;
  for (const answer of held) answer();
  // Which of them comes first is no promise: what is tried while a place is free takes it. `delivery-worker.test.ts` has the order.
  const arrived = () =>
    receiver.received.filter(({ path }) => path === "/hooks/held").map(({ body }) => body.data.run_id);
  await expect.poll(() => new Set(arrived()).size, { interval: 100 }).toBe(12);
  receiver.decide();
  expect(arrived().toSorted()).toEqual(runs.map(({ run_id }) => run_id).toSorted());
});

/** Messages that one host is sent at a time. */
const PLACES = 4;

const user = (name: string, ...more: string[]) =>
  clientOf(platform.url, platform.token(name, [...scopes, ...more]));
const ended = async (client: Client, path: string) => {
  for (
    const until = Date.now() + HANGS_AFTER_MS;
    Date.now() < until;
    await new Promise((go) => setTimeout(go, 50))
  ) {
    const { json } = await client.get(path);
    if (json.status !== "pending") return json;
  }
  throw new Error(`${path} stays pending`);
};

test("an endpoint: its ping, its secret shown once, a rotation with both signatures, and its end", async () => {
  const client = user("nora");
  const path = `${receiver.url}/nora`;
  const made = await client.post("/webhook-endpoints", { json: { url: path, description: "desk" } });
  expect(made).toMatchObject({ status: 201, json: { user_id: "nora", audience: "own", enabled: true } });
  const { id, secret } = made.json;
  expect(secret).toMatch(/^whsec_/);
  expect((await client.get(`/webhook-endpoints/${id}`)).json).not.toHaveProperty("secret");
  const ping = await client.post(`/webhook-endpoints/${id}/test`);
  expect(ping).toMatchObject({ status: 202, json: { type: "ping", status: "pending" } });
  const first = await receiver.until((message) => message.id === ping.json.event_id);
  expect(first.isSignedBy(secret)).toBe(true);

  const rotated = await client.post(`/webhook-endpoints/${id}/rotate-secret`, { json: {} });
  expect(rotated.json.secret).not.toBe(secret);
  const second = (await client.post(`/webhook-endpoints/${id}/test`)).json;
  const both = await receiver.until((message) => message.id === second.event_id);
  expect([both.isSignedBy(secret), both.isSignedBy(rotated.json.secret)]).toEqual([true, true]);
  const at_once = await client.post(`/webhook-endpoints/${id}/rotate-secret`, {
    json: { overlap_seconds: 0 },
  });
  const third = (await client.post(`/webhook-endpoints/${id}/test`)).json;
  const newest = await receiver.until((message) => message.id === third.event_id);
  expect(newest.signatures).toHaveLength(1);
  expect(newest.isSignedBy(at_once.json.secret)).toBe(true);

  expect(await ended(client, `/webhook-deliveries/${third.id}`)).toMatchObject({
    status: "delivered",
    attempts: [{ response_status: 204 }],
  });
  const again = await client.post(`/webhook-deliveries/${third.id}/redeliver`);
  expect(again).toMatchObject({ status: 202, json: { status: "pending", event_id: third.event_id } });
  await ended(client, `/webhook-deliveries/${third.id}`);
  expect(receiver.received.filter((message) => message.id === third.event_id)).toHaveLength(2);

  expect((await client.call("DELETE", `/webhook-endpoints/${id}`)).status).toBe(204);
  expect((await client.get(`/webhook-endpoints/${id}`)).status).toBe(404);
});

test("no user sees or receives what belongs to another, and only privileged callers receive all users' events", async () => {
  const [olga, paul] = [user("olga"), user("paul")];
  const refused = await paul.post("/webhook-endpoints", {
    json: { url: receiver.url, audience: "everybody" },
  });
  expect(refused).toMatchObject({
    status: 403,
    json: { detail: expect.stringContaining("webhooks:everybody") },
  });
  const own = (await paul.post("/webhook-endpoints", { json: { url: `${receiver.url}/paul` } })).json;
  const ops = user("ops", "webhooks:everybody");
  const all = await ops.post("/webhook-endpoints", {
    json: { url: `${receiver.url}/all`, audience: "everybody" },
  });
  expect(all.status).toBe(201);
  expect((await olga.get(`/webhook-endpoints/${own.id}`)).status).toBe(404);
  expect((await olga.get("/webhook-endpoints")).json.data).toEqual([]);
  expect((await ops.get("/webhook-endpoints")).json.data.map((one: { id: string }) => one.id)).toContain(
    own.id,
  );

  const run = await olga.submit("Hello", { callback_url: `${receiver.url}/olga` });
  await receiver.until(({ body, path }) => body.data.run_id === run.run_id && path.endsWith("/olga"));
  const listed = await olga.get(`/webhook-deliveries?run_id=${run.run_id}`);
  expect(listed.json.data).toHaveLength(1);
  expect((await paul.get(`/webhook-deliveries?run_id=${run.run_id}`)).json.data).toEqual([]);
  expect((await paul.get(`/webhook-deliveries/${listed.json.data[0].id}`)).status).toBe(404);
  expect(receiver.about(run.run_id).map(({ path }) => path)).not.toContain("/hooks/paul");
});

test("after its session is deleted, nothing of a run is left with its deliveries", async () => {
  const client = user("quinn");
  receiver.decide((message, response) => void response.writeHead(200).end(message.text));
  const run = await client.submit("a secret word", { callback_url: `${receiver.url}/quinn` });
  const { data } = (await receiver.until(({ body }) => body.data.run_id === run.run_id)).body;
  receiver.decide();
  const path = `/webhook-deliveries?run_id=${data.run_id}`;
  expect((await client.call("DELETE", `/sessions/${run.session_id}`)).status).toBe(204);
  for (const until = Date.now() + HANGS_AFTER_MS; ; await new Promise((go) => setTimeout(go, 50))) {
    const { json } = await client.get(path);
    if (json.data.length === 0) break;
    if (Date.now() > until) throw new Error("the delivery is still there");
  }
});

test.each([
  [{ callback_url: "not an address" }, 422],
  [{ callback_url: "https://169.254.169.254/latest" }, 422],
  [{ callback_url: "http://erp.example/hooks" }, 422],
  [{ callback_url: "https://erp.example/hooks", callback_events: "run.started" }, 422],
  [{ callback_url: "https://erp.example/hooks", background: "false" }, 400],
])("a request with %j is refused", async (form, status) => {
  const { json, status: answered } = await maria.run("Hello", { background: "true", ...form });
  expect([answered, JSON.stringify(json)]).toEqual([status, expect.stringContaining("callback")]);
});

test("a schedule notifies how its runs end, and is refused with a receiver that could not be notified", async () => {
  const schedule = (payload: object) => ({
    json: { name: crypto.randomUUID(), cron_expr: "", endpoint: "/agents/assistant/runs", payload },
  });
  const bad = await maria.post("/schedules", schedule({ message: "x", callback_url: "https://10.0.0.1/" }));
  expect(bad).toMatchObject({
    status: 422,
    json: { detail: expect.stringContaining("payload.callback_url") },
  });
  const payload = {
    message: "Sum up",
    callback_url: `${receiver.url}/nightly`,
    callback_events: ["run.completed"],
  };
  const { json } = await maria.post("/schedules", schedule(payload));
  await maria.post(`/schedules/${json.id}/trigger`);
  const { body } = await receiver.until(({ path }) => path.endsWith("/nightly"));
  expect(body).toMatchObject({ type: "run.completed", data: { schedule: { schedule_id: json.id } } });
});

test("an endpoint of a revoked service account is silent", async () => {
  const admin = clientOf(platform.url, platform.adminToken);
  const grants = ["webhooks:write", "webhooks:read", "agents:run"].map((scope) => ({ scope }));
  const minted = await admin.post("/service-accounts", {
    json: { name: "erp-link", scopes: grants, allow_privileged_scopes: true },
  });
  const account = clientOf(platform.url, minted.json.token);
  const { json } = await account.post("/webhook-endpoints", { json: { url: `${receiver.url}/erp` } });
  await admin.call("DELETE", `/service-accounts/${minted.json.id}`);
  const ping = await admin.post(`/webhook-endpoints/${json.id}/test`);
  expect(await ended(admin, `/webhook-deliveries/${ping.json.id}`)).toMatchObject({
    status: "skipped",
    reason: expect.stringContaining("account"),
  });
});

test("a stored component names who is notified, with the right to receive all users' events; the run's record shows who", async () => {
  const author = (...more: string[]) => user("una", "components:read", "components:write", ...more);
  const config = { callback: { url: `${receiver.url}/component?key=k`, events: ["run.completed"] } };
  const json = {
    name: "Teller",
    component_type: "agent",
    component_id: "teller",
    stage: "published",
    config,
  };
  const refused = await author().post("/components", { json });
  expect(refused).toMatchObject({
    status: 403,
    json: { detail: expect.stringContaining("webhooks:everybody") },
  });
  const bad = await author("webhooks:everybody").post("/components", {
    json: { ...json, config: { callback: { url: "ftp://x" } } },
  });
  expect(bad).toMatchObject({ status: 422, text: expect.stringContaining("callback") });
  const made = await author("webhooks:everybody").post("/components", { json });
  expect(made.status).toBe(201);

  const victor = user("victor");
  const start = async (form: Record<string, string> = {}) =>
    (
      await victor.post("/agents/teller/runs", {
        form: { message: "Hello", stream: "false", background: "true", ...form },
      })
    ).json;
  const shown = async ({ run_id, session_id }: { run_id: string; session_id: string }) =>
    (await victor.get(`/agents/teller/runs/${run_id}?session_id=${session_id}`)).json.callback;
  const run = await start();
  const { body, path } = await receiver.until((message) => message.body.data.run_id === run.run_id);
  expect(path).toBe("/hooks/component?key=k");
  expect(body.data).not.toHaveProperty("content");
  // Whoever runs it sees where it is sent, and no part of the address that may be a secret of its author.
  expect(await shown(run)).toEqual({ url: new URL(receiver.url).origin, events: ["run.completed"] });
  const own = await start({ callback_url: `${receiver.url}/victor?key=k` });
  expect(await shown(own)).toMatchObject({ url: `${receiver.url}/victor` });
});
