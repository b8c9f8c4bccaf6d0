import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { statusShards } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows } from "../../shared/stores/jobs/list-jobs.ts";
import { dbOfFolder } from "./db-of-folder.ts";
import { HANGS_AFTER_MS } from "./hangs-after.ts";
import type { KillablePlatform } from "./killable-platform.ts";

/** A run that was answered 202, and the words that only it was asked with. */
export type Promised = AcceptedRun & { readonly message: string };

/** Where a promised run rests. */
export type Rested = {
  readonly message: string;
  readonly status: string;
  /** The job's own count of its executions. */
  readonly attempt: number;
  readonly error: string | null;
  /** What the functions wrote about it. */
  readonly log: readonly string[];
};

/** Long enough that a worker on a machine with much else to do is not taken for a dead one. */
export const GRACE_SECONDS = 8;

/** A small generator of numbers in [0, 1), so that a printed seed repeats the moments of a campaign. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Submits runs over several lanes until all are sent or the platform is gone. Only what was answered 202 counts.
 *
 * @param onAccepted  called with each of those at once
 */
export async function submitAll(
  { maria }: KillablePlatform,
  messages: readonly string[],
  onAccepted: (run: Promised) => void = () => {},
  lanes = 4,
): Promise<Promised[]> {
  const promised: Promised[] = [];
  const waiting = [...messages];
  const lane = async () => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const answer = await maria.run(message, { background: "true" }).catch(() => undefined);
      if (answer?.status !== 202) return;
      const run = { ...answer.json, message };
      promised.push(run);
      onAccepted(run);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return promised;
}

type RunningJob = { readonly id: string; readonly locked_at: number };

/** Jobs that are executed, as an operator lists them. */
async function runningJobs({ admin }: KillablePlatform): Promise<RunningJob[]> {
  return (await admin.get("/queue/jobs?status=running&limit=1000")).json.data;
}

/** Waits until every run is under way. @throws when one is not within the time */
export async function untilExecuting(
  platform: KillablePlatform,
  promised: readonly Promised[],
  withinMs = HANGS_AFTER_MS,
): Promise<void> {
  for (const until = Date.now() + withinMs; ; await pause(50)) {
    const running = (await runningJobs(platform)).map(({ id }) => id);
    if (promised.every(({ run_id }) => running.includes(run_id))) return;
    if (Date.now() > until) throw new Error("not every run is executed");
  }
}

/** Ids of the jobs that a killed process executed, as its data folder has them before the next start. */
export async function abandonedJobs({ dataDir }: KillablePlatform): Promise<string[]> {
  const { db, stop } = await dbOfFolder(dataDir);
  try {
    const now = Date.now() / 1000;
    const ids = [];
    for (const shard of statusShards(db, "running"))
      for await (const { id } of indexRows(db, shard, { forward: true, now })) ids.push(id);
    return ids;
  } finally {
    await stop();
  }
}

/**
 * Waits until every run that a killed process executed has been taken from it: its lock is gone, or is a new one. @throws
 * when one is not within the time
 *
 * @returns how long after the kill each was, in milliseconds
 */
export async function recoveries(
  platform: KillablePlatform,
  abandoned: readonly string[],
  killedAtMs: number,
  withinMs: number,
): Promise<number[]> {
  const killedAt = Math.floor(killedAtMs / 1000);
  const afterMs: number[] = [];
  for (let waiting = [...abandoned]; waiting.length > 0; await pause(100)) {
    const old = (await runningJobs(platform)).filter(({ locked_at }) => locked_at <= killedAt);
    const left = waiting.filter((id) => old.some((job) => job.id === id));
    const recovered = waiting.length - left.length;
    afterMs.push(...Array.from({ length: recovered }, () => Date.now() - killedAtMs));
    waiting = left;
    if (Date.now() > killedAtMs + withinMs) throw new Error(`${waiting.length} runs were not recovered`);
  }
  return afterMs;
}

const open: ReadonlySet<string> = new Set(["queued", "running"]);

/** Waits until every promised run rests, and returns how. @throws when one does not within the time */
export async function restingPlaces(
  { admin, maria, dataDir }: KillablePlatform,
  promised: readonly Promised[],
  withinMs: number,
): Promise<Rested[]> {
  const until = Date.now() + withinMs;
  const rested: Rested[] = [];
  for (const run of promised) {
    for (;;) {
      const { json: job, status } = await admin.get(`/queue/jobs/${run.run_id}`);
      if (isAnswered(job)) {
        if (status !== 200) throw new Error(`job ${run.run_id} answers ${status} ${JSON.stringify(job)}`);
        const record = open.has(job.status) ? undefined : (await maria.poll(run)).json;
        if (record && isAnswered(record)) {
          const { attempt, error } = job;
          rested.push({ message: run.message, status: record.status, attempt, error, log: [] });
          break;
        }
      }
      if (Date.now() > until) throw new Error(`job ${run.run_id} is still ${job.status ?? status}`);
      await pause(50);
    }
  }
  const lines = readFileSync(join(dataDir, "functions.log"), "utf8").split("\n");
  return rested.map((one, at) => {
    const { run_id = "" } = promised[at] ?? {};
    return { ...one, log: lines.filter((line) => line.includes(run_id)) };
  });
}

/** The gateway says something else while an authorizer has not started in its time, on a machine with much else to do. */
const isAnswered = (answer: { readonly message?: unknown } | undefined): boolean =>
  answer?.message !== "Internal Server Error";

/**
 * Waits until no lock that a killed process held can be fresh any more. The sweeper's first round comes with the
 * start of a platform, so a start after this moment finds every abandoned job stale.
 */
export async function untilLocksAreStale(killedAtMs: number, graceSeconds = GRACE_SECONDS): Promise<void> {
  // Locks count in whole seconds, on both sides.
  const staleAt = (Math.floor(killedAtMs / 1000) + graceSeconds + 1) * 1000;
  await pause(Math.max(0, staleAt - Date.now()));
}
