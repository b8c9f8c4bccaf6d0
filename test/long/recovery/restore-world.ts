import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { marshall } from "@aws-sdk/util-dynamodb";
import { readBody } from "../../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { openS3 } from "../../../local/s3/s3.ts";
import type { RestorePlace } from "../../../package/recovery/restore-stage.ts";
import { objectsOf, readObject } from "../../../package/recovery/stage-objects.ts";
import { keyOf, keyText, type StoredRow } from "../../../package/recovery/stored-row.ts";
import { scanTable, writeRows } from "../../../package/recovery/table-access.ts";
import { type KeptObjects, keepObjects } from "../../../scripts/drill/restore/kept-objects.ts";
import { startKeptPast } from "../../../scripts/drill/restore/kept-past.ts";
import { newContent } from "../../../shared/domain/knowledge/content-plans.ts";
import { forEachTable } from "../../../shared/settings/table-env.ts";
import { contentAttributes, contentKey } from "../../../shared/stores/knowledge/content-item.ts";
import { type Switches, startSwitchedLambda } from "./switched-lambda.ts";

export const restored = ["runs", "knowledge", "schedules"] as const;
type Rows = Readonly<Record<(typeof restored)[number], readonly StoredRow[]>>;
const BUCKET = "objects";
const NOW = Date.UTC(2026, 10, 28);

const row = (pk: string, text: string): StoredRow => marshall({ pk, sk: "row", text });
/** A content that was embedded. */
function contentRow(name: string, revision: number): StoredRow {
  const object = { key: "knowledge/x", sha256: "00", bytes: 3 };
  const input = { kind: "held" as const, file: { object, filename: "a.txt", mime_type: "text/plain" } };
  const given = { id: name, knowledge_id: "docs", owner: null, name, description: "", type: "text/plain" };
  const { due_at: _, ...begun } = newContent({ ...given, size: 3, metadata: null, input, options: {} }, 10);
  const live = { index: "docs-x", hash: `h${revision}`, chunks: 2, written: 2 };
  const content = { ...begun, revision, status: "completed", live } as const;
  return marshall({ ...contentKey(content), ...contentAttributes(content) }, { removeUndefinedValues: true });
}

const many = (from: number, to: number, text: string): StoredRow[] =>
  Array.from({ length: to - from }, (_, at) => row(`item-${from + at}`, text));
const then: Rows = {
  runs: [...many(0, 20, "then"), ...many(20, 40, "same")],
  knowledge: [contentRow("same", 1), contentRow("changed", 1), contentRow("gone", 1)],
  schedules: [...many(0, 3, "then"), row("comparison", "then")],
};
const later: Rows = {
  runs: [...many(10, 20, "later"), ...many(20, 60, "same")],
  knowledge: [contentRow("same", 1), contentRow("changed", 2), contentRow("new", 1)],
  schedules: [...many(2, 5, "later"), row("comparison", "later")],
};

/** A request of a restore, by the step that it belongs to. */
export type Call = { readonly step: number; readonly command: string };
/** A restore ends when this call was answered: it was done, and its answer is lost. */
export type End = Call & { readonly nth: number };

export const switchesBefore = (): Switches => ({
  concurrency: { worker: 7, api: null, sweeper: null, reconcile: 1 },
  mappings: { queue: "Enabled", unused: "Disabled" },
});

/** A stage with a past, as an operator reaches it: what it holds came later than the instant that it is taken back to. */
export async function startRestoreWorld() {
  const folder = mkdtempSync(join(tmpdir(), "interrupted-"));
  const ended = new AsyncDisposableStack();
  ended.defer(() => rmSync(folder, { recursive: true, force: true }));
  const past = await startKeptPast(join(folder, "dynamo"));
  ended.defer(past.stop);
  const [present, before] = [join(folder, "s3"), join(folder, "s3-then")];
  await openS3(present).createBuckets([BUCKET]);
  let switches = switchesBefore();
  const bucket = await serveObjects(keepObjects(present, before, () => instant));
  ended.defer(bucket.stop);
  const lambdas = await startSwitchedLambda(() => switches);
  ended.defer(lambdas.stop);
  const shared = { region: "us-east-1", credentials: { accessKeyId: "LOCAL", secretAccessKey: "local" } };
  const dynamo = new DynamoDBClient({ ...shared, endpoint: past.endpoint });
  const s3 = new S3Client({ ...shared, endpoint: bucket.address, forcePathStyle: true });
  const lambda = new LambdaClient({ ...shared, endpoint: lambdas.address, maxAttempts: 1 });
  const tables = forEachTable((name) => name);
  const put = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));

  const allOf = async (table: string): Promise<StoredRow[]> => {
    const rows: StoredRow[] = [];
    await scanTable(dynamo, table, async (page) => void rows.push(...page));
    return rows.sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
  };
  const fill = async (wanted: Rows): Promise<void> => {
    for (const table of restored) {
      const gone = (await allOf(table)).map((one) => ({ DeleteRequest: { Key: keyOf(one) } }));
      await writeRows(dynamo, table, gone);
      await writeRows(
        dynamo,
        table,
        wanted[table].map((one) => ({ PutRequest: { Item: { ...one } } })),
      );
    }
  };
  const held = async () => {
    const objects: string[] = [];
    for await (const page of objectsOf(s3, BUCKET))
      for (const { key } of page)
        objects.push(`${key}: ${Buffer.from(await readObject(s3, BUCKET, key)).toString()}`);
    const rows = await Promise.all(restored.map(async (table) => [table, await allOf(table)] as const));
    return { objects: objects.sort(), rows: Object.fromEntries(rows) };
  };

  for (const table of restored) await dynamo.send(new CreateTableCommand(plain(table)));
  await fill(then);
  await Promise.all([put("changed", "then"), put("gone", "then"), put("same", "same")]);
  const instant = await past.mark(() => cpSync(present, before, { recursive: true }));

  return {
    instant,
    /** Makes it what it was before anything was restored. */
    async spoil(): Promise<void> {
      switches = switchesBefore();
      await fill(later);
      await Promise.all([put("changed", "later"), put("new", "later")]);
      await s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: "gone" }));
    },
    /** What the stage holds, how it is switched, and which copies there are. */
    state: async () => ({
      ...(await held()),
      switches: structuredClone(switches),
      copies: ((await dynamo.send(new ListTablesCommand({}))).TableNames ?? []).filter(
        (name) => !restored.some((table) => table === name),
      ),
    }),
    s3,
    bucket: BUCKET,
    /** The stage, for a process that ends at a call, or at none. @param made called with each call that was answered */
    place(
      end?: End,
      made: (call: Call) => void = () => {},
    ): RestorePlace & { readonly over: () => Promise<void> } {
      const process = endingProcess(end, made);
      return {
        resources: {
          ...{ stage: "prod", region: "us-east-1", tables, bucket: BUCKET, hasVectorBucket: true },
          functions: Object.keys(switches.concurrency),
          mappings: Object.keys(switches.mappings),
          ...{ sweeper: "sweeper", scheduleReconcile: "reconcile" },
        },
        dynamo: process.in(new DynamoDBClient({ ...shared, endpoint: past.endpoint })),
        s3: process.in(new S3Client({ ...shared, endpoint: bucket.address, forcePathStyle: true })),
        lambda: process.in(new LambdaClient({ ...shared, endpoint: lambdas.address })),
        sleep: async () => {},
        now: () => NOW,
        say: process.say,
        over: process.over,
      };
    },
    stop: async () => {
      for (const client of [dynamo, s3, lambda]) client.destroy();
      await ended.disposeAsync();
    },
  };
}

/** A process that ends when a call was answered: it learns no answer from then on, and asks nothing more. */
function endingProcess(end: End | undefined, made: (call: Call) => void) {
  let [step, nth, underWay, isOver] = [0, 0, 0, false];
  const refuse = (): void => {
    if (isOver) throw new Error("the process has ended");
  };
  return {
    say: (line: string): void => {
      step = Number(/^(\d) of /.exec(line)?.[1] ?? step);
    },
    in<Client extends DynamoDBClient | S3Client | LambdaClient>(client: Client): Client {
      const middleware =
        (next: (args: never) => Promise<unknown>, { commandName = "" }: { commandName?: string }) =>
        async (args: never) => {
          refuse();
          underWay += 1;
          try {
            const answer = await next(args);
            made({ step, command: commandName });
            if (end?.step === step && end.command === commandName) isOver ||= ++nth === end.nth;
            refuse();
            return answer;
          } finally {
            underWay -= 1;
          }
        };
      // Each client has commands of its own, and what it is here for is alike in all of them.
      (client.middlewareStack.add as (handler: unknown, options: object) => void)(middleware, {
        step: "initialize",
      });
      return client;
    },
    /** Waits until the services have done what they were asked. */
    over: async (): Promise<void> => {
      while (underWay > 0) await turn();
    },
  };
}

const serveObjects = ({ answer }: KeptObjects) =>
  serveOnLoopback(
    createServer(async (incoming, response) => {
      const body = await readBody(incoming);
      const { method = "GET", url = "/", headers } = incoming;
      const reply = await answer(method, new URL(url, "http://s3"), headers, body);
      response.writeHead(reply.status, { ...reply.headers }).end(reply.status === 204 ? "" : reply.body);
    }),
  );

const plain = (TableName: string) => ({
  TableName,
  BillingMode: "PAY_PER_REQUEST" as const,
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" as const },
    { AttributeName: "sk", KeyType: "RANGE" as const },
  ],
  AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
});
