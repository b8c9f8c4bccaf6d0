import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../shared/data/item.ts";
import { type TableName, tableVariable } from "../../shared/settings/table-env.ts";
import { type Db, dbOver } from "../../shared/stores/db.ts";
import { tables } from "../../shared/stores/tables.ts";
import { objectsInMemory } from "./objects-in-memory.ts";
import type { RunningPlatform } from "./platform.ts";

export type Stored = Readonly<Record<TableName, readonly Item[]>>;

/** The platform's tables, read and written past its own endpoint: no fault of a test touches these requests. */
export type StoreView = {
  readonly db: Db;
  /** Every item of every table, in the order of their keys. */
  readonly read: () => Promise<Stored>;
  readonly close: () => void;
};

export function viewStores({
  dynamoEndpoint,
  model,
}: Pick<RunningPlatform, "dynamoEndpoint" | "model">): StoreView {
  const client = new DynamoDBClient({
    endpoint: dynamoEndpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "LOCAL", secretAccessKey: "local" },
  });
  const names = Object.keys(tables) as TableName[]; // keys of a constant table
  const environments = model.functions.map(({ environment }) => environment);
  const named = names.map((name) => {
    const found = environments.find((environment) => tableVariable[name] in environment);
    return [name, found?.[tableVariable[name]] ?? ""] as const;
  });
  const db = dbOver(client, Object.fromEntries(named) as Record<TableName, string>, objectsInMemory());
  return { db, read: () => readTables(db), close: () => client.destroy() };
}

/** Every item of every table, in the order of their keys. */
export async function readTables(db: Db): Promise<Stored> {
  const names = Object.keys(tables) as TableName[]; // keys of a constant table
  const pairs = names.map(async (name) => [name, await itemsOf(db, db.tables[name])] as const);
  return Object.fromEntries(await Promise.all(pairs)) as Record<TableName, Item[]>;
}

async function itemsOf({ client }: Db, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const start = ExclusiveStartKey && { ExclusiveStartKey };
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ...start }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

const isJob = ({ sk }: Item) => sk === "job";
const isRun = ({ sk }: Item) => String(sk).startsWith("run#");

/** A run of a copied session: its events stay with the original. */
const isCopy = ({ output }: Item): boolean => has(output, "forked_from_session_id");

/** A run within a run: its events are emitted by that one. */
const isNested = ({ output }: Item): boolean => has(output, "parent_run_id");

const has = (output: unknown, field: string): boolean =>
  typeof output === "object" && output !== null && field in output;

/** The run statuses that each status of a job goes with. */
const agreeing: Readonly<Record<string, readonly unknown[]>> = {
  queued: ["PENDING"],
  running: ["PENDING", "RUNNING"],
  paused: ["PAUSED"],
  completed: ["COMPLETED"],
  failed: ["ERROR"],
  cancelled: ["CANCELLED"],
};

/**
 * What does not fit together in the stores; empty when every job has its run and both show the same, every run has
 * its session, every ended run its events, and the counters count what there is.
 */
export function faultsIn({ jobs, runs, sessions }: Stored): string[] {
  const sessionIds = new Set(sessions.map(({ session_id }) => session_id));
  const runById = new Map(runs.filter(isRun).map((run) => [run.run_id, run]));
  const jobById = new Map(jobs.filter(isJob).map((job) => [job.id, job]));
  const nonRuns = new Set(runs.filter((item) => !isRun(item)).map(({ pk }) => pk));
  const ofJobs = [...jobById.values()].flatMap((job) => {
    const run = runById.get(job.id);
    if (!run) return [`job ${job.id} has no run`];
    const agree = agreeing[String(job.status)]?.includes(run.status);
    return agree ? [] : [`job ${job.id} is ${job.status}, its run ${run.status}`];
  });
  const ofRuns = [...runById.values()].flatMap((run) => [
    ...(sessionIds.has(run.session_id) ? [] : [`run ${run.run_id} has no session`]),
    ...(run.queued && !jobById.has(run.run_id) ? [`run ${run.run_id} has no job`] : []),
    ...(run.status === "COMPLETED" &&
    !isCopy(run) &&
    !isNested(run) &&
    run.last_events === undefined &&
    !nonRuns.has(`run#${run.run_id}`)
      ? [`run ${run.run_id} has no events`]
      : []),
  ]);
  return [...ofJobs, ...ofRuns, ...miscounts(jobs)];
}

function miscounts(jobs: readonly Item[]): string[] {
  return ["completed", "failed", "cancelled"].flatMap((status) => {
    const there = jobs.filter((item) => isJob(item) && item.status === status).length;
    const counted = jobs.reduce((sum, item) => sum + (isJob(item) ? 0 : Number(item[status] ?? 0)), 0);
    return there === counted ? [] : [`${counted} jobs are counted as ${status}, ${there} are`];
  });
}
