import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { TableName } from "../../shared/settings/table-env.ts";
import { inBatches } from "../../shared/stores/in-batches.ts";
import { type Copied, copyTables } from "./copy-table.ts";
import { RecoveryError } from "./recovery-error.ts";
import {
  type CopyState,
  dropCopyState,
  type PausedService,
  readCopyState,
  writeCopyState,
} from "./recovery-state.ts";
import { pause, type RestorePlace, reconcile } from "./restore-stage.ts";
import { ruleOf } from "./restored-tables.ts";
import { resumeService, switchesOf } from "./service-switch.ts";
import { OBJECTS_AT_ONCE, objectsOf, readObject } from "./stage-objects.ts";
import type { StoredRow } from "./stored-row.ts";
import { scanTable } from "./table-access.ts";

export type CopyOptions = {
  readonly tables: readonly TableName[];
  /** Whether what the target holds may be lost. */
  readonly over?: boolean | undefined;
};

export type CopiedStage = {
  readonly tables: Readonly<Record<string, Copied>>;
  readonly objects: { readonly copied: number; readonly removed: number };
};

/** A stage as people name it. */
export const nameOf = ({ resources }: RestorePlace): string => `${resources.stage} (${resources.region})`;

/**
 * Makes one stage hold what another one holds, in whichever region and account it is:
 *
 *   both are paused ─▶ objects ─▶ tables ─▶ schedules and queues of the target ─▶ the target works
 *
 * The source stays paused: two stages with the same schedules and runs would do everything twice. Whatever stops it, the
 * same call goes on.
 *
 * @throws RecoveryError where the target holds something and `over` is not given, or another copy into either stage has begun
 */
export async function copyStage(
  from: RestorePlace,
  to: RestorePlace,
  { tables, over = false }: CopyOptions,
): Promise<CopiedStage> {
  const { bucket } = to.resources;
  const [source, target] = await Promise.all([stateOf(from), stateOf(to)]);
  if (source?.role === "target") throw begun(from, source);
  const isBegun = target?.role === "target";
  if (isBegun && target.other !== nameOf(from)) throw begun(to, target);
  if (!isBegun && !over) await refuseFilled(to);
  from.say(`1 of 5: both stages are paused: ${nameOf(from)} and ${nameOf(to)}`);
  const [, paused] = await Promise.all([
    pauseAs(from, { role: "source", other: nameOf(to) }),
    pauseAs(to, { role: "target", other: nameOf(from) }),
  ]);
  from.say("2 of 5: objects are copied");
  const objects = await copyObjects(from, to);
  from.say(`  ${objects.copied} copied, ${objects.removed} removed`);
  from.say("3 of 5: tables are copied");
  const hasVectorBucket = from.resources.hasVectorBucket || to.resources.hasVectorBucket;
  const now = Math.floor(to.now() / 1000);
  const copied = await copyTables(tables, from.say, (table) => ({
    from: { client: from.dynamo, table: from.resources.tables[table] },
    to: { client: to.dynamo, table: to.resources.tables[table] },
    rule: ruleOf(table, hasVectorBucket, now),
    now,
  }));
  from.say("4 of 5: queues and schedules of the target are brought in step");
  await reconcile(to, paused);
  from.say("5 of 5: the target works, the source stays paused");
  await resumeService(to.lambda, paused, to.sleep);
  await dropCopyState(to.s3, bucket);
  return { tables: copied, objects };
}

/** Lets a stage work again that a copy has paused. @returns the other stage of the copy; undefined where none has */
export async function resumeCopied(place: RestorePlace): Promise<string | undefined> {
  const { s3, resources, lambda, sleep } = place;
  const state = await readCopyState(s3, resources.bucket);
  if (!state) return undefined;
  await resumeService(lambda, state.paused, sleep);
  await dropCopyState(s3, resources.bucket);
  return state.other;
}

const stateOf = ({ s3, resources }: RestorePlace) => readCopyState(s3, resources.bucket);

/** What refuses another copy of a stage whose tables may be half of each. */
const begun = (into: RestorePlace, { other }: CopyState): RecoveryError =>
  new RecoveryError(
    `A copy of ${other} into ${nameOf(into)} has begun and not ended. Go on with it first, or copy --from ${into.resources.stage} --resume-source lets it work with what it has.`,
  );

/** How it was switched before is written down first; a later call finds it, and so does a copy of what a copy has paused. */
async function pauseAs(place: RestorePlace, as: Pick<CopyState, "role" | "other">): Promise<PausedService> {
  const { s3, resources, lambda, now } = place;
  const before = await stateOf(place);
  const paused = before?.paused ?? (await switchesOf(lambda, resources, now()));
  if (before?.role !== as.role || before.other !== as.other)
    await writeCopyState(s3, resources.bucket, { ...as, paused });
  await pause(place, paused);
  return paused;
}

/** A stage that was just deployed has none of these. */
async function refuseFilled(to: RestorePlace): Promise<void> {
  for (const table of ["runs", "sessions", "components"] as const) {
    let found = 0;
    const count = async (rows: readonly StoredRow[]): Promise<void> => {
      found += rows.length;
    };
    await scanTable(to.dynamo, to.resources.tables[table], count, true);
    if (found === 0) continue;
    throw new RecoveryError(
      `${nameOf(to)} holds data already (${found} items in ${table}), which would be lost. --over replaces it.`,
    );
  }
}

/** A key is the checksum of its content nearly everywhere, so what has the same key and size is the same. */
async function copyObjects(from: RestorePlace, to: RestorePlace): Promise<CopiedStage["objects"]> {
  const [wanted, present] = await Promise.all([listed(from), listed(to)]);
  const missing = [...wanted].filter(([key, size]) => present.get(key) !== size).map(([key]) => key);
  const surplus = [...present.keys()].filter((key) => !wanted.has(key));
  const copyOne = async ([Key = ""]: string[]): Promise<void> => {
    const Body = await readObject(from.s3, from.resources.bucket, Key);
    await to.s3.send(new PutObjectCommand({ Bucket: to.resources.bucket, Key, Body }));
  };
  const removeOne = async ([Key = ""]: string[]): Promise<void> => {
    await to.s3.send(new DeleteObjectCommand({ Bucket: to.resources.bucket, Key }));
  };
  await inBatches(missing, 1, copyOne, OBJECTS_AT_ONCE);
  await inBatches(surplus, 1, removeOne, OBJECTS_AT_ONCE);
  return { copied: missing.length, removed: surplus.length };
}

/** The keys of a stage's bucket with the sizes of their objects. */
async function listed({ s3, resources }: RestorePlace): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const page of objectsOf(s3, resources.bucket))
    for (const { key, size } of page) found.set(key, size);
  return found;
}
