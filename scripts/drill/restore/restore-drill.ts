import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Platform, startPlatform } from "../../../local/platform.ts";
import { type Restored, restoreStage } from "../../../package/recovery/restore-stage.ts";
import { copyName, restoredTables } from "../../../package/recovery/restored-tables.ts";
import { scanTable } from "../../../package/recovery/table-access.ts";
import { clientOf } from "../../../test/support/client.ts";
import { viewStores } from "../../../test/support/stored.ts";
import { testRegistry } from "../../../test/support/test-registry.ts";
import { checkInvariants, type Finding, type LiveJob } from "./invariants.ts";
import { keepObjects, pastOf } from "./kept-objects.ts";
import { startKeptPast } from "./kept-past.ts";
import { entriesIn, localPlace } from "./local-place.ts";
import { startOperatorEndpoint } from "./operator-endpoint.ts";
import { confirm, drained, makeSchedule, type Submitted, submitRuns } from "./work.ts";

export type Drilled = {
  readonly findings: readonly Finding[];
  readonly restored: Restored;
  /** Runs that were queued or running at the instant. */
  readonly liveThen: number;
  readonly seconds: { readonly work: number; readonly restore: number };
};

const ANSWERS_WITHIN_MS = 90_000;

/**
 * Executes runs on the local cloud, marks an instant in their middle, executes the rest, takes the stage back to
 * that instant with the same code as `agent-platform restore`, and checks what must hold.
 *
 * @param say  takes lines that say how far it has come
 */
export async function drillRestore(count: number, say: (line: string) => void): Promise<Drilled> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-restore-"));
  await using ended = new AsyncDisposableStack();
  ended.defer(() => rmSync(folder, { recursive: true, force: true }));
  const past = await startKeptPast(join(folder, "dynamo"));
  ended.defer(past.stop);
  const platform = await startOver(past.endpoint, folder);
  ended.defer(platform.stop);
  const client = clientOf(platform.url, platform.token({ sub: "drill", scopes: [platform.adminScope] }));

  const kept = [await makeSchedule(client, "kept"), await makeSchedule(client, "removed later")];
  const began = performance.now();
  const { runs, instant } = await workWithMark(client, count, () =>
    past.mark(() => cpSync(join(folder, "data", "s3"), pastOf(folder), { recursive: true })),
  );
  await drained(client);
  const workSeconds = (performance.now() - began) / 1000;
  say(`${count} runs in ${workSeconds.toFixed(0)} s; the instant is ${instant.toISOString()}`);
  const later = [await makeSchedule(client, "made later")];
  await changeEverything(client, runs, kept[1]?.id ?? "");

  const objects = keepObjects(join(folder, "data", "s3"), pastOf(folder), () => instant);
  const operator = await startOperatorEndpoint(platform, objects);
  ended.defer(operator.stop);
  const place = localPlace(platform, { dynamo: past.endpoint, operator: operator.address }, say);
  const restoring = performance.now();
  const restored = await restoreStage(place, { to: instant, tables: restoredTables(), keepCopies: true });
  const restoreSeconds = (performance.now() - restoring) / 1000;
  const liveThen = await liveJobs(place.dynamo, copyName("local", instant, "jobs"));
  say(
    `${liveThen.size} runs were live then, of which ${lastAttempts(liveThen)} were in the last attempt that they had`,
  );
  await answers(client);
  await drained(client);
  const view = viewStores(platform);
  ended.defer(view.close);
  const findings = await checkInvariants({
    client,
    instant,
    runs,
    liveThen,
    schedules: { kept, later },
    entries: () => entriesIn(join(folder, "data")),
    stored: view.read,
  });
  return {
    findings,
    restored,
    liveThen: liveThen.size,
    seconds: { work: workSeconds, restore: restoreSeconds },
  };
}

async function startOver(endpoint: string, folder: string): Promise<Platform> {
  process.env.DYNAMODB_ENDPOINT = endpoint;
  try {
    return await startPlatform({
      registry: testRegistry,
      dataDir: join(folder, "data"),
      port: 0,
      environment: {
        MODEL: "scripted",
        TRACING: "off",
        MAX_QUEUE_DEPTH: "0",
        LOCK_GRACE_SECONDS: "5",
        MAX_ATTEMPTS: "3",
      },
    });
  } finally {
    // The engine that reads the past is one of its own.
    delete process.env.DYNAMODB_ENDPOINT;
  }
}

/** Submits all runs, and marks the instant when half of them are accepted. */
async function workWithMark(client: ReturnType<typeof clientOf>, count: number, mark: () => Promise<Date>) {
  const runs: Submitted[] = [];
  let marking: Promise<Date> | undefined;
  await submitRuns(client, 0, count, async (run) => {
    runs.push(run);
    if (runs.length === Math.floor(count / 2)) marking = mark();
    // What is under way meanwhile may be on either side; the rest comes later for certain.
    await marking;
  });
  if (!marking) throw new Error("too few runs for an instant in their middle");
  return { runs, instant: await marking };
}

/** The jobs of a copy that were queued or running, by their runs. */
async function liveJobs(dynamo: DynamoDBClient, copy: string): Promise<ReadonlyMap<string, LiveJob>> {
  const live = new Map<string, LiveJob>();
  await scanTable(dynamo, copy, async (rows) => {
    for (const { pk, sk, status, attempt, max_attempts } of rows) {
      if (sk?.S !== "job" || !/^(queued|running)$/.test(status?.S ?? "")) continue;
      const isLast = status?.S === "running" && Number(attempt?.N) >= Number(max_attempts?.N);
      live.set(String(pk?.S).slice("job#".length), { isLast });
    }
  });
  return live;
}

const lastAttempts = (live: ReadonlyMap<string, LiveJob>): number =>
  [...live.values()].filter(({ isLast }) => isLast).length;

/** What is undone by the restore: confirmations, removed sessions with their objects, a removed schedule. */
async function changeEverything(
  client: ReturnType<typeof clientOf>,
  runs: readonly Submitted[],
  schedule: string,
): Promise<void> {
  for (const run of runs.filter(({ agent, number }) => agent === "refund-desk" && number % 20 === 3))
    await confirm(client, run);
  for (const { session_id } of runs.filter(({ number }) => number % 50 === 7))
    await client.call("DELETE", `/sessions/${session_id}?type=agent`);
  for (const { session_id } of runs.filter(({ number }) => number % 100 === 10))
    await client.call("DELETE", `/sessions/${session_id}?type=agent`);
  await client.call("DELETE", `/schedules/${schedule}`);
  // Removals are worked off in the background.
  await pause(3_000);
}

/** Waits until the API answers again. */
async function answers(client: ReturnType<typeof clientOf>): Promise<void> {
  for (const until = Date.now() + ANSWERS_WITHIN_MS; Date.now() < until; await pause(500)) {
    const { status } = await client.get("/health");
    if (status === 200) return;
  }
  throw new Error("the platform does not answer after the restore");
}
