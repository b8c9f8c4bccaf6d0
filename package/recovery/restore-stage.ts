import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { S3Client } from "@aws-sdk/client-s3";
import type { TableName } from "../../shared/settings/table-env.ts";
import { type Copied, copyTables } from "./copy-table.ts";
import { RecoveryError } from "./recovery-error.ts";
import {
  dropState,
  type PausedService,
  type RecoveryState,
  readState,
  type Step,
  steps,
  writeState,
} from "./recovery-state.ts";
import { keepsVersions, type RestoredObjects, restoreObjects } from "./restore-objects.ts";
import { copyName, ruleOf } from "./restored-tables.ts";
import { invokeAlone, pauseService, resumeService, switchesOf } from "./service-switch.ts";
import type { StageResources } from "./stage-resources.ts";
import { awaitCopy, beginCopy, dropCopy } from "./table-copies.ts";

/** A stage, and how it is reached. */
export type RestorePlace = {
  readonly resources: StageResources;
  readonly dynamo: DynamoDBClient;
  readonly s3: S3Client;
  readonly lambda: LambdaClient;
  readonly sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Takes a line that says how far it has come. */
  readonly say: (line: string) => void;
};

export type RestoreOptions = {
  /** The instant, in whole seconds. */
  readonly to: Date;
  readonly tables: readonly TableName[];
  /** Whether the restored copies of the tables stay. */
  readonly keepCopies?: boolean | undefined;
};

/** What a restore has done. */
export type Restored = {
  readonly tables: Readonly<Record<string, Copied>>;
  readonly objects: RestoredObjects | undefined;
};

/**
 * Takes a stage back to an instant:
 *
 *   copies ─▶ pause ─▶ objects ─▶ tables ─▶ reconcile ─▶ resume ─▶ clean
 *
 * Each step may be done twice, and what is done is written down in the stage's bucket: after whatever stopped it, the same
 * call goes on.
 *
 * @throws RecoveryError where another restore of the stage has begun and not ended
 */
export async function restoreStage(place: RestorePlace, options: RestoreOptions): Promise<Restored> {
  const { s3, say } = place;
  const { bucket, stage } = place.resources;
  const wanted = { to: options.to.toISOString(), tables: [...options.tables] };
  const begun = await readState(s3, bucket);
  let state: RecoveryState = begun ?? { ...wanted, done: [] };
  refuseOther(state, wanted, stage);
  if (state.done.length > 0) say(`Goes on after the step ${state.done.at(-1)}.`);
  const save = async (changes: Partial<RecoveryState>): Promise<void> => {
    state = { ...state, ...changes };
    await writeState(s3, bucket, state);
  };
  // Before the first copy, so that giving up finds it.
  if (!begun) await save({});
  const restored: { tables: Readonly<Record<string, Copied>>; objects: RestoredObjects | undefined } = {
    tables: {},
    objects: undefined,
  };
  const act: Readonly<Record<Step, () => Promise<void>>> = {
    copies: () => makeCopies(place, options),
    pause: async () => {
      const paused = state.paused ?? (await switchesOf(place.lambda, place.resources, place.now()));
      if (!state.paused) await save({ paused });
      await pause(place, paused);
    },
    objects: async () => {
      restored.objects = await bringObjectsBack(place, options.to);
    },
    tables: async () => {
      restored.tables = await copyAll(place, options);
    },
    resume: async () => {
      if (state.paused) await resumeService(place.lambda, state.paused, place.sleep);
    },
    reconcile: async () => {
      if (state.paused) await reconcile(place, state.paused);
    },
    clean: async () => {
      if (options.keepCopies)
        return say(`The copies stay: ${copyName(stage, options.to, "runs")} and others.`);
      for (const table of options.tables)
        await dropCopy(place.dynamo, copyName(stage, options.to, table), place.sleep);
    },
  };
  for (const [at, step] of steps.entries()) {
    if (state.done.includes(step)) continue;
    say(`${at + 1} of ${steps.length}: ${shown[step]}`);
    await act[step]();
    await save({ done: [...state.done, step] });
  }
  await dropState(s3, bucket);
  return restored;
}

/**
 * Gives up a restore that has begun: the service is resumed, and the copies are deleted. Tables that were being changed stay
 * as far as that came.
 *
 * @returns the instant that it was to; undefined where none has begun
 */
export async function giveUpRestore(place: RestorePlace): Promise<string | undefined> {
  const { s3, resources, lambda, dynamo, sleep } = place;
  const state = await readState(s3, resources.bucket);
  if (!state) return undefined;
  if (state.paused && !state.done.includes("resume")) await resumeService(lambda, state.paused, sleep);
  for (const table of state.tables)
    await dropCopy(dynamo, copyName(resources.stage, new Date(state.to), table), sleep);
  await dropState(s3, resources.bucket);
  return state.to;
}

const shown: Readonly<Record<Step, string>> = {
  copies: "the tables as they were are restored beside the present ones (the service goes on meanwhile)",
  pause: "the service is paused: its functions do not start, its queues keep their messages",
  objects: "objects are brought back",
  tables: "the tables are made equal to their copies",
  reconcile: "queues and schedules are brought in step with the tables",
  resume: "the service is resumed",
  clean: "the copies are deleted",
};

function refuseOther(
  state: RecoveryState,
  wanted: Pick<RecoveryState, "to" | "tables">,
  stage: string,
): void {
  const isSame =
    state.to === wanted.to && [...state.tables].sort().join() === [...wanted.tables].sort().join();
  if (isSame) return;
  throw new RecoveryError(
    `A restore of ${stage} to ${state.to} (${state.tables.length} tables) has begun and not ended. Go on with it first: agent-platform restore --stage ${stage} --to ${state.to}`,
  );
}

async function makeCopies(place: RestorePlace, { to, tables }: RestoreOptions): Promise<void> {
  const { dynamo, sleep, resources } = place;
  const copyOf = (table: TableName): string => copyName(resources.stage, to, table);
  for (const table of tables) await beginCopy(dynamo, resources.tables[table], copyOf(table), to, sleep);
  for (const [at, table] of tables.entries()) {
    await awaitCopy(dynamo, copyOf(table), sleep);
    place.say(`  ${table} is there (${at + 1} of ${tables.length})`);
  }
}

/** Lets nothing begin, and waits until what began has ended. */
export async function pause(place: RestorePlace, paused: PausedService): Promise<void> {
  const longest = await pauseService(place.lambda, paused, place.sleep);
  place.say(`  waits ${longest} s for what runs: the longest timeout of a function`);
  await place.sleep(longest * 1000);
}

async function bringObjectsBack(place: RestorePlace, to: Date): Promise<RestoredObjects | undefined> {
  const { s3, resources, say } = place;
  if (!(await keepsVersions(s3, resources.bucket))) {
    say("  the bucket keeps no versions: what was deleted since is gone, and the rest is there");
    return undefined;
  }
  const restored = await restoreObjects(s3, resources.bucket, to);
  say(`  ${restored.seen} objects, ${restored.broughtBack} brought back, ${restored.removed} removed`);
  return restored;
}

function copyAll(place: RestorePlace, { to, tables }: RestoreOptions) {
  const { resources, dynamo, say } = place;
  const now = Math.floor(place.now() / 1000);
  return copyTables(tables, say, (table) => ({
    from: { client: dynamo, table: copyName(resources.stage, to, table) },
    to: { client: dynamo, table: resources.tables[table] },
    rule: ruleOf(table, resources.hasVectorBucket, now),
    now,
  }));
}

/**
 * Brings schedules and queues in step before anybody can write: later an entry whose schedule is just being created could be taken
 * for one too many. A timer invokes both functions anyway, so what they fail with is said and not thrown.
 */
export async function reconcile(
  { lambda, resources, say }: RestorePlace,
  paused: PausedService,
): Promise<void> {
  for (const name of [resources.scheduleReconcile, resources.sweeper]) {
    const failure = await invokeAlone(lambda, name, paused);
    if (failure !== undefined) say(`  ${name} says: ${failure}`);
  }
}
