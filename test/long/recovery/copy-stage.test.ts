import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyStage, resumeCopied } from "../../../package/recovery/copy-stage.ts";
import type { RestorePlace } from "../../../package/recovery/restore-stage.ts";
import { restoredTables } from "../../../package/recovery/restored-tables.ts";
import { entriesIn, localPlace } from "../../../scripts/drill/restore/local-place.ts";
import { plainObjects, startOperatorEndpoint } from "../../../scripts/drill/restore/operator-endpoint.ts";
import { confirm } from "../../../scripts/drill/restore/work.ts";
import { type KnowledgeClient, knowledgeOf } from "../../knowledge/knowledge-client.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { viewStores } from "../../support/stored.ts";

/** A deployment as its users and its operator see it. */
type Deployment = {
  readonly platform: TestPlatform;
  readonly place: RestorePlace;
  readonly client: Client;
  readonly knowledge: KnowledgeClient;
  readonly entries: () => readonly string[];
};

const ended = new AsyncDisposableStack();
const tables = restoredTables();
/** Beyond what stays in an item, so that it becomes an object. */
const longText = `long ${Array.from({ length: 6_500 }, (_, at) => `${Math.sin(at)}`).join(" ")}`;
let source: Deployment;
let target: Deployment;

async function deploy(stage: string): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), `copy-${stage}-`));
  ended.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const platform = await startPlatform({ dataDir });
  ended.defer(platform.stop);
  const operator = await startOperatorEndpoint(platform, plainObjects(join(dataDir, "s3")));
  ended.defer(operator.stop);
  const client = clientOf(platform.url, platform.adminToken);
  const endpoints = { dynamo: platform.dynamoEndpoint, operator: operator.address };
  return {
    platform,
    client,
    place: localPlace(platform, endpoints, () => {}, stage),
    knowledge: knowledgeOf(client),
    entries: () => entriesIn(dataDir),
  };
}

beforeAll(async () => {
  source = await deploy("old");
  target = await deploy("new");
}, 300_000);
afterAll(() => ended.disposeAsync());

const isAt = ({ client }: Deployment, path: string) => client.get(path).then(({ status }) => status);

async function pausedRun({ client }: Deployment, session_id: string) {
  const message = '[[tool:issue_refund {"order_id":"A-1","amount":5}]]';
  const { json } = await client.post("/agents/refund-desk/runs", {
    form: { message, session_id, stream: "false" },
  });
  expect(json.status).toBe("PAUSED");
  const times = { sentAt: 0, acceptedAt: 0 };
  return { number: 0, agent: "refund-desk", message, session_id, run_id: String(json.run_id), ...times };
}

/** Lets a client fail from one of its writes on, as where the machine that copies ends. @returns what lets it work again */
function endAfter(writes: number, { middlewareStack }: DynamoDBClient): () => void {
  let left = writes;
  const name = "ends";
  middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === "BatchWriteItemCommand" && --left < 0) throw new Error("the machine has ended");
        return next(args);
      },
    { step: "initialize", name },
  );
  return () => void middlewareStack.remove(name);
}

/** All items of the tables that a copy takes, without those that a working platform writes by itself. */
async function itemsOf({ platform }: Deployment) {
  const view = viewStores(platform);
  try {
    const stored = await view.read();
    return tables.map((table) => [table, stored[table].filter(({ pk }) => pk !== "comparison")]);
  } finally {
    view.close();
  }
}

test("a deployment is copied to another one, which goes on where the first one stays paused", async () => {
  const { client, knowledge, platform } = source;
  const first = (await client.run("note one", { session_id: "talk" })).json;
  const long = (await client.run(longText, { session_id: "long" })).json;
  const paused = await pausedRun(source, "refund");
  const content = await knowledge.added({ name: "pump.md", text_content: "Prime the purple pump first." });
  const schedule = await client.post("/schedules", {
    json: {
      name: "yearly",
      cron_expr: "0 0 1 1 *",
      endpoint: "/agents/assistant/runs",
      method: "POST",
      payload: { message: "a year" },
    },
  });
  const component = await client.post("/components", {
    json: { name: "Kept", component_type: "agent", component_id: "kept" },
  });
  const account = await client.post("/service-accounts", { json: { name: "robot", scopes: [] } });
  expect([content.status, schedule.status, component.status, account.status]).toEqual([
    "completed",
    201,
    201,
    201,
  ]);
  // No worker takes it, so it waits when the stage is paused.
  const [worker = ""] = platform.model.functions.flatMap(({ label, name }) =>
    label === "Worker" ? [name] : [],
  );
  platform.lambda.reserve(worker, 0);
  const waiting = await client.submit("note two", { session_id: "talk" });

  const copied = await copyStage(source.place, target.place, { tables });

  expect(copied.tables.runs?.written).toBeGreaterThan(0);
  expect(copied.objects.copied).toBeGreaterThan(0);
  const there = target.client;
  expect((await there.poll(first)).json).toMatchObject({ status: "COMPLETED", content: first.content });
  expect((await there.poll(long)).json.input.input_content).toBe(longText);
  expect(await target.client.settled(waiting)).toMatchObject({ status: "COMPLETED" });
  expect(await confirm(there, paused)).toBe("COMPLETED");
  expect(
    (await there.get("/sessions/talk/runs?type=agent")).json.map((run: { run_id: string }) => run.run_id),
  ).toEqual([first.run_id, waiting.run_id]);
  expect((await target.knowledge.found({ query: "purple pump" })).length).toBeGreaterThan(0);
  expect(await isAt(target, `/schedules/${schedule.json.id}`)).toBe(200);
  expect(target.entries().filter((name) => name.includes(schedule.json.id))).toHaveLength(1);
  expect(await isAt(target, "/components/kept")).toBe(200);
  // Tokens of the first deployment are none of the second.
  expect((await there.get("/service-accounts")).text).not.toContain("robot");
  expect(await isAt(source, "/sessions/talk?type=agent")).toBeGreaterThanOrEqual(429);
}, 300_000);

test("a target that holds data is refused, and replaced where that is asked for, also after an interruption", async () => {
  const own = (await target.client.run("only here", { session_id: "own" })).json;
  await expect(copyStage(source.place, target.place, { tables })).rejects.toThrow(
    /new .* holds data already/,
  );
  expect(await isAt(target, `/agents/assistant/runs/${own.run_id}?session_id=own`)).toBe(200);

  const worksAgain = endAfter(2, target.place.dynamo);
  const copy = copyStage(source.place, target.place, { tables, over: true });
  await expect(copy).rejects.toThrow("the machine has ended");
  worksAgain();
  expect(await isAt(target, "/sessions/talk?type=agent")).toBeGreaterThanOrEqual(429);
  const third = { ...source.place, resources: { ...source.place.resources, stage: "third" } };
  await expect(copyStage(third, target.place, { tables, over: true })).rejects.toThrow(
    /A copy of old .* into new .* has begun and not ended/,
  );
  await expect(copyStage(target.place, third, { tables, over: true })).rejects.toThrow("not ended");

  // What has begun goes on without being asked again whether data may be lost.
  await copyStage(source.place, target.place, { tables });
  expect(await isAt(target, `/agents/assistant/runs/${own.run_id}?session_id=own`)).toBe(404);
  expect(await isAt(target, "/sessions/talk?type=agent")).toBe(200);
  expect(entriesOf(target)).toEqual(entriesOf(source));
}, 300_000);

const entriesOf = ({ entries }: Deployment) => [...entries()].sort();

test("a source is not the target of a copy back unless its data may be lost, and works again when it is asked to", async () => {
  await expect(copyStage(target.place, source.place, { tables })).rejects.toThrow(
    /old .* holds data already/,
  );
  expect(await isAt(target, "/sessions/talk?type=agent")).toBe(200);
  expect(await resumeCopied(source.place)).toMatch(/^new /);
  expect(await isAt(source, "/sessions/talk?type=agent")).toBe(200);
  expect(await resumeCopied(source.place)).toBeUndefined();

  await copyStage(target.place, source.place, { tables, over: true });
  expect(await isAt(source, "/sessions/talk?type=agent")).toBe(200);
  expect(await isAt(target, "/sessions/talk?type=agent")).toBeGreaterThanOrEqual(429);
  expect(await itemsOf(source)).toEqual(await itemsOf(target));
}, 300_000);
