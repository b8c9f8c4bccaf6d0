import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DynamoEngine, startDynamo } from "../../../local/dynamodb/dynamo-engine.ts";
import { type Answer, type Client, clientOf, framesOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { startTurnstile, type Turnstile } from "../../support/turnstile.ts";

/**
 * Two users do the same at the same time, in one instance of each function. At every call to the database one of them
 * is held while the other goes on, in an order that a seed draws, so each await of one falls between any two of the other.
 */
const seed = Number(process.env.INTERLEAVING_SEED ?? Date.now() % 1_000_000);
const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
let engine: DynamoEngine;
let turnstile: Turnstile;
let platform: TestPlatform;
let stopped = false;

beforeAll(async () => {
  console.log(`INTERLEAVING_SEED=${seed}`);
  engine = await startDynamo();
  turnstile = await startTurnstile(engine.endpoint, randomFrom(seed));
  const given = process.env.DYNAMODB_ENDPOINT;
  process.env.DYNAMODB_ENDPOINT = turnstile.address;
  platform = await startPlatform({ dataDir, perThread: 16 });
  if (given === undefined) delete process.env.DYNAMODB_ENDPOINT;
  else process.env.DYNAMODB_ENDPOINT = given;
});
afterAll(async () => {
  if (!stopped) await platform?.stop();
  await turnstile?.stop();
  await engine?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** @source mulberry32, a generator of 32 bits of state */
function randomFrom(state: number): () => number {
  let a = state;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type User = {
  readonly name: string;
  readonly mark: string;
  readonly client: Client;
  readonly seen: Answer[];
};

const scopes = [
  "agents:read",
  "agents:run",
  "sessions:read",
  "sessions:write",
  "memories:read",
  "memories:write",
];
const runs = "/agents/assistant/runs";

function userNamed(name: string): User {
  const client = clientOf(platform.url, platform.token(name, scopes));
  return { name, mark: `mark-of-${name}`, client, seen: [] };
}

/** Does one thing after the other, each of which ends as it should for this user. */
async function live({ client, mark, seen }: User): Promise<void> {
  const see = (answer: Answer, status = 200): Answer => {
    expect(answer.status, answer.text).toBe(status);
    seen.push(answer);
    return answer;
  };
  const waited = see(await client.run(`${mark} [[tool:add_numbers {"a":2,"b":3}]]`));
  const { session_id } = waited.json;
  see(await client.run(mark, { session_id }));
  const streamed = see(
    await client.post(runs, { form: { message: `${mark} [[tool:add_numbers {"a":2,"b":3}]]`, session_id } }),
  );
  expect(framesOf(streamed.text).at(-1)?.event).toBe("RunCompleted");
  const accepted = see(await client.run(mark, { background: "true", session_id }), 202);
  const settled = await client.settled(accepted.json);
  expect(settled.status).toBe("COMPLETED");
  seen.push(await client.poll(accepted.json));
  see(await client.get("/agents"));
  see(await client.get(`/sessions?type=agent`));
  see(await client.get(`/sessions/${session_id}?type=agent`));
  see(await client.get(`/sessions/${session_id}/runs?type=agent`));
  see(await client.post("/memories", { json: { memory: mark, topics: [mark] } }));
  see(await client.get("/memories"));
  see(await client.run("[[fail:out of luck]]"));
}

/** Leaves a stream that is far from its end. */
async function leave({ client, mark }: User): Promise<void> {
  const message = `${mark} ${"[[sleep:200]]".repeat(20)}`;
  const response = await client.send("POST", runs, { form: { message } });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

test("users whose requests are interleaved in one instance see and log only what is theirs", async () => {
  const users = ["maria", "otto"].map(userNamed);
  const leaving = userNamed("anna");
  turnstile.arm();
  await Promise.all([...users.map(live), leave(leaving)]);
  expect(turnstile.crossings()).toBeGreaterThan(40);

  for (const { mark, seen } of users) {
    const others = [...users, leaving].filter((user) => user.mark !== mark);
    for (const { text } of seen) for (const other of others) expect(text).not.toContain(other.mark);
    expect(seen.filter(({ text }) => text.includes(mark)).length).toBeGreaterThan(6);
  }
  const functions = platform.model.functions.filter(({ name }) => platform.lambda.threads(name) > 0);
  expect(functions.length).toBeGreaterThan(3);
  for (const { name } of functions) expect(platform.lambda.threads(name), name).toBe(1);

  // Every line of a request names it and its user; the ids that clients were answered with show whose each is.
  const written = () =>
    readFileSync(join(dataDir, "functions.log"), "utf8")
      .split("\n")
      .flatMap((line) =>
        line.includes('{"') && line.endsWith("}") ? [JSON.parse(line.slice(line.indexOf("{")))] : [],
      );
  const ends = () =>
    written().flatMap(({ message, request_id }) => (message === "request" ? [request_id] : []));
  const ids = users.flatMap(({ seen }) => seen.map(({ headers }) => headers.get("x-request-id") ?? "none"));
  // The last line of a request is on its way to the file after its answer; a thread that is stopped writes no more.
  await expect.poll(() => ids.filter((id) => !ends().includes(id))).toEqual([]);
  await platform.stop();
  stopped = true;
  const lines = written();
  for (const { name, seen } of users) {
    for (const { headers } of seen) {
      const ofRequest = lines.filter(({ request_id }) => request_id === headers.get("x-request-id"));
      expect(ofRequest.filter(({ message }) => message === "request")).toHaveLength(1);
      for (const { user_id } of ofRequest) expect([undefined, name]).toContain(user_id);
    }
  }
});
