import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient, PlatformError } from "../../../client/index.ts";
import { type BreakingProxy, startBreakingProxy } from "../../support/breaking-proxy.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const path = { agent_id: "assistant" };

/** Its own platform: one user may have a single run in the foreground, and two in the queue. */
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    env: { MAX_FOREGROUND_PER_USER: "1", MAX_QUEUED_PER_USER: "2", MAX_RUNNING_PER_USER: "1" },
  });
});
afterAll(() => platform?.stop());

let proxy: BreakingProxy;
let client: Client;
beforeEach(async () => {
  proxy = await startBreakingProxy(platform.url);
  onTestFinished(() => proxy.stop());
  client = createClient({ baseUrl: proxy.url, token: platform.adminToken });
});
const lines = (pattern: RegExp) => proxy.requests.filter(({ line }) => pattern.test(line));

const storms = [
  { storm: "a connection that cannot be made", breakage: { cutAfter: -1 } },
  { storm: "an answer that does not arrive", breakage: { cutAfter: 0 } },
  { storm: "503", breakage: { status: 503 } },
] as const;

describe.each(storms)("after $storm", ({ breakage }) => {
  test("what is read is read again, twice at most", async () => {
    proxy.breakNext(/agents/, breakage, breakage);
    expect(await client.listAgents()).toContainEqual(expect.objectContaining({ id: "assistant" }));
    proxy.breakNext(/teams/, breakage, breakage, breakage);
    await expect(client.listTeams()).rejects.toThrow();
    expect(lines(/teams/)).toHaveLength(3);
  });

  test("a run in the background is started once, by the client's key or by the caller's own", async () => {
    for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }]) {
      const session_id = crypto.randomUUID();
      proxy.breakNext(/runs$/, breakage);
      const body = { message: "once", background: true, session_id } as const;
      const accepted = await client.createAgentRun({ path, body }, { headers });
      await client.runs.wait({ ...path, ...accepted });
      expect(await client.listAgentRuns({ path, query: { session_id } })).toHaveLength(1);
    }
    const keys = lines(/POST .*runs$/).map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).toBe(keys[3]);
    expect(new Set(keys).size).toBe(2);
  });

  test("what could be done twice is not sent again", async () => {
    const session_id = crypto.randomUUID();
    proxy.breakNext(/sessions|runs$/, breakage, breakage);
    await expect(client.createSession({ body: { session_name: "one" } })).rejects.toThrow();
    await expect(client.createAgentRun({ path, body: { message: "hi", session_id } })).rejects.toThrow();
    expect(lines(/^POST/)).toHaveLength(2);
  });
});

test("a limit of the platform is waited for, as long as it says, also by what must not be done twice", async () => {
  const token = platform.token("maria", ["agents:run", "agents:read"]);
  const maria = createClient({ baseUrl: proxy.url, token });
  const begun = Date.now();
  const first = maria.createAgentRun({ path, body: { message: "[[sleep:2500]] first" } });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const second = await maria.createAgentRun({ path, body: { message: "second" } });
  expect(second).toMatchObject({ status: "COMPLETED" });
  expect(await first).toMatchObject({ status: "COMPLETED" });
  // The platform asks for five seconds.
  expect(Date.now() - begun).toBeGreaterThan(5_000);
  expect(lines(/POST/)).toHaveLength(3);
});

test("a pause of more than half a minute is left to the caller, as the platform names it", async () => {
  const limit = { status: 429, headers: { "retry-after": "3600" } };
  proxy.breakNext(/agents/, limit);
  const error = await client.listAgents().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 429, retryAfter: 3600 });
  const until = new Date(Date.now() + 7_200_000).toUTCString();
  proxy.breakNext(/agents/, { status: 429, headers: { "retry-after": until } });
  const dated = await client.listAgents().catch((thrown: unknown) => thrown);
  expect((dated as PlatformError).retryAfter).toBeGreaterThan(7_000);
  expect(lines(/agents/)).toHaveLength(2);
});

test("without retries nothing is sent again, and no key is made", async () => {
  const once = createClient({ baseUrl: proxy.url, token: platform.adminToken, retries: false });
  proxy.breakNext(/./, { status: 503 }, { status: 429 });
  await expect(once.listAgents()).rejects.toMatchObject({ status: 503 });
  await expect(once.listAgents()).rejects.toMatchObject({ status: 429 });
  await once.createAgentRun({ path, body: { message: "hi", background: true } });
  expect(proxy.requests).toHaveLength(3);
  expect(lines(/runs$/)[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("a queue that is switched off is not asked again", async () => {
  const body = JSON.stringify({ detail: "off", error_code: "QUEUE_DISABLED" });
  proxy.breakNext(/runs$/, { status: 503, body });
  const run = client.createAgentRun({ path, body: { message: "hi", background: true } });
  await expect(run).rejects.toMatchObject({ code: "QUEUE_DISABLED" });
  expect(proxy.requests).toHaveLength(1);
});

test("an abort ends the pause before a retry", async () => {
  proxy.breakNext(/agents/, { status: 429, headers: { "retry-after": "20" } });
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), 200);
  const begun = Date.now();
  await expect(client.listAgents({}, { signal: leaving.signal })).rejects.toThrow("aborted");
  expect(Date.now() - begun).toBeLessThan(5_000);
});

describe("after 401", () => {
  test("a function is asked for another token, once", async () => {
    const tokens = ["expired", platform.adminToken];
    let asked = 0;
    const renewed = createClient({
      baseUrl: proxy.url,
      token: () => tokens[Math.min(asked++, tokens.length - 1)] ?? "",
    });
    expect(await renewed.listAgents()).toContainEqual(expect.objectContaining({ id: "assistant" }));
    expect([asked, proxy.requests.length]).toEqual([2, 2]);

    let refused = 0;
    const never = createClient({ baseUrl: proxy.url, token: () => `wrong-${refused++}` });
    await expect(never.listAgents()).rejects.toMatchObject({ status: 401 });
    expect(refused).toBe(2);
  });

  test("the same token is not sent again, and neither is one that is no function", async () => {
    for (const token of ["wrong", () => "wrong"]) {
      const sent = proxy.requests.length;
      const asking = createClient({ baseUrl: proxy.url, token });
      const error = await asking.listAgents().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PlatformError);
      expect(error).toMatchObject({ status: 401 });
      expect(proxy.requests.length - sent).toBe(1);
    }
  });
});
