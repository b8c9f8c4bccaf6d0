import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { Callback } from "../../schemas/deliveries/callback.ts";
import { CountedUsage, RunStatus } from "../../schemas/runs/run.ts";
import { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { ScheduleRunRef } from "../../schemas/schedules/schedule-run.ts";
import { RUN_INDEX_SHARDS } from "../../settings/rows/storage.ts";
import type { Db } from "../db.ts";
import {
  Large,
  packJson,
  Spilled,
  sessionObjects,
  spillBytes,
  spillFields,
  unpackJson,
  unspillBytes,
  unspillFields,
} from "../objects/spill.ts";
import { StoredBatch } from "./events.ts";
import { type RunAddress, runIndexKeys, runKey } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const RUN_SHAPE = 16;

/** A run as it is stored: what the wire shows, and what the platform needs to execute it. */
export const StoredRun = v.object({
  run_id: v.string(),
  session_id: v.string(),
  /** Who may see it; null when the credential named no user. */
  owner: v.nullable(v.string()),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  /** The version of a stored component that the run started with; it is used until its end. */
  component_version: v.optional(v.number()),
  /** The component's revision, as the code declared it that executed the run last. */
  revision: v.optional(v.string()),
  status: RunStatus,
  /** When its status last changed, epoch seconds; absent where it never did, and in older records. */
  updated_at: v.optional(v.number()),
  /** The execution that wrote last, a fencing token; a lower one may not write any more. */
  attempt: v.number(),
  /** How often the present attempt was handed off; a process that had it before may not write any more. */
  hops: v.optional(v.number()),
  /** Whether a job of the queue executes it. */
  queued: v.boolean(),
  /** The attempt of a schedule that started it. The job has it too, but is deleted long before the run. */
  schedule_run: v.optional(ScheduleRunRef),
  /** Who is notified when it ends, in addition to registered endpoints. */
  callback: v.optional(Callback),
  /** Ends a task of a state machine with the run. Like a secret: no answer, no event and no log has it. */
  task_token: v.optional(v.string()),
  /** The span of another system that it was requested in, as a valid `traceparent`. */
  traceparent: v.optional(v.string()),
  /** Whether it is the first of its session, so that there is no history to read. */
  opens_session: v.boolean(),
  /** Set when a summary stands for older runs of its session, so that it is read with the history. */
  compacted: v.optional(v.literal(true)),
  /** Form fields of the request, beside the message. */
  kwargs: v.record(v.string(), v.unknown()),
  /** Foreground runs only, set when a cancellation is recorded: when it expires; epoch seconds. */
  cancel_until: v.optional(v.number()),
  /** Digests of the calls that a paused run waits to execute, by their ids. */
  digests: v.optional(v.record(v.string(), v.string())),
  /** Its approvals; here too because its calls may be too large for the record. */
  approval_ids: v.optional(v.array(v.string())),
  /** Foreground runs only: epoch seconds by which their process must have ended. */
  lease_until: v.optional(v.number()),
  output: StoredOutput,
  /** Fields of the output, and all of the form, that its item has no room for; see `spill-run.ts`. */
  output_large: v.optional(Large),
  kwargs_large: v.optional(Spilled),
  /** What of its metrics the sums of its session include. A run that pauses is added to them in parts. */
  counted: v.optional(CountedUsage),
  /** The same of attempts whose results were given up: no metrics have these. */
  counted_before: v.optional(CountedUsage),
  /**
   * What executions have added to the session's state since the step from which a requeue resumes the run. It makes some
   * of that again, and takes this back when it writes that.
   */
  state_written: v.optional(Spilled),
  /** Where the run resumes; see `checkpoint.ts`. */
  checkpoint: v.optional(Spilled),
  /** The last events of an ended run: they need no item of their own. */
  last_events: v.optional(StoredBatch),
});
export type StoredRun = v.InferOutput<typeof StoredRun>;

/** A record that no list over all sessions shows: a copy is no execution, and was listed as what it is a copy of. */
export const unlistedRunItem = (run: StoredRun): Item => ({
  ...runKey(run.owner, run.session_id, run.run_id),
  ...run,
  shape: RUN_SHAPE,
});

/** The record of a run. Of one that is part of another run, lists over all sessions show only the whole. */
export const runItem = (
  run: StoredRun,
  { runIndexShards }: Pick<Db, "runIndexShards"> = { runIndexShards: RUN_INDEX_SHARDS },
): Item => ({
  ...unlistedRunItem(run),
  ...(!isNested(run) && runIndexKeys(run, runIndexShards)),
});

/** Whether it is part of another run: it is shown with that one, and no route acts on it alone. */
export const isNested = ({ output }: StoredRun): boolean => output.parent_run_id !== undefined;

export const LOST_PROCESS =
  "The process that executed this run ended before the run did. Submit it again, or with background=true to have it survive.";

/** Whether a foreground run's process must have ended without writing the end of the run. @param now epoch seconds */
export const isLost = (
  { status, lease_until }: Pick<StoredRun, "status" | "lease_until">,
  now: number,
): boolean => status === "RUNNING" && lease_until !== undefined && lease_until < now;

/**
 * A run as its item holds it: `wholeRun` puts back what it only points to.
 *
 * @param now  epoch seconds; a foreground run whose process must have ended reads as ERROR
 * @throws when the item is not a run of a shape that this code reads
 */
export function runFrom(item: Item, now: number): StoredRun {
  const run = v.parse(StoredRun, item);
  if (isLost(run, now)) {
    return { ...run, status: "ERROR", output: { ...run.output, status: "ERROR", content: LOST_PROCESS } };
  }
  return { ...run, output: { ...run.output, status: run.status } };
}

/** Form fields of a run above this many bytes of JSON are packed. */
const MAX_PLAIN_KWARGS_BYTES = 16_000;

/** A run that fits into its item. Objects for what is too large are written when this returns. */
export async function spillRun(db: Db, run: StoredRun): Promise<StoredRun> {
  const { output, output_large } = await spillOutput(db, run, run.output);
  const spilled = { ...run, output, ...(output_large && { output_large }) };
  if (Buffer.byteLength(JSON.stringify(run.kwargs)) <= MAX_PLAIN_KWARGS_BYTES) return spilled;
  const prefix = sessionObjects(run.owner, run.session_id);
  const kwargs_large = await spillBytes(db, prefix, await packJson(run.kwargs), MAX_PLAIN_KWARGS_BYTES);
  return { ...spilled, kwargs: {}, kwargs_large };
}

/**
 * A run with everything that its item only points to.
 *
 * @throws ServiceError when a part of it is missing or damaged
 */
export async function wholeRun(db: Db, stored: StoredRun): Promise<StoredRun> {
  const { output_large, kwargs_large, ...run } = stored;
  const [output, kwargs] = await Promise.all([
    unspillFields(db, run.output, output_large),
    kwargs_large ? unspillBytes(db, kwargs_large).then(unpackJson<StoredRun["kwargs"]>) : run.kwargs,
  ]);
  return { ...run, output, kwargs };
}

/** A run's output as it is stored: fields that are too large are taken out of it. */
export type SpilledOutput = { readonly output: StoredOutput; readonly output_large: Large | undefined };

const PREVIEW_CHARS = 1_000;

/**
 * Makes an output fit into its record.
 *
 * @param keeps  large fields of the record that this output lacks because it was read without them; they stay
 */
export async function spillOutput(
  db: Db,
  at: RunAddress,
  output: StoredOutput,
  keeps?: Large,
): Promise<SpilledOutput> {
  const { plain, large } = await spillFields(db, sessionObjects(at.owner, at.session_id), output, keepsOrder);
  const output_large = { ...stillValid(output, keeps), ...large };
  if (!large)
    return { output, output_large: Object.keys(output_large).length > 0 ? output_large : undefined };
  // These fields must stay in the record; the input is the only one that can be large.
  const { run_id, session_id, created_at, status } = output;
  return {
    output: { run_id, session_id, created_at, status, input: previewOf(output), ...plain },
    output_large,
  };
}

/** Lists with what models and tools wrote as JSON. */
const ofModels: ReadonlySet<string> = new Set([
  "messages",
  "tools",
  "requirements",
  "references",
  "additional_input",
  "member_responses",
  "step_results",
  "step_executor_runs",
  "step_requirements",
]);

/**
 * Whether a field of an output is packed in any case: a map of DynamoDB keeps no order of its keys, and a reader takes the order of
 * a call's arguments, or of a structured answer, for its model's. Packed it takes less than half of the room as well.
 */
const keepsOrder = (name: string, value: unknown): boolean =>
  name === "content"
    ? typeof value === "object" && value !== null
    : ofModels.has(name) && Array.isArray(value) && value.length > 0;

/** The beginning of the input, so that a record without its large fields still shows what it is about. */
const previewOf = ({ input }: StoredOutput): StoredOutput["input"] => ({
  input_content: input.input_content.slice(0, PREVIEW_CHARS),
});

/** Large fields that the output replaces do not stay. The input always does: the output may have only its preview. */
const stillValid = (output: StoredOutput, keeps: Large = {}): Large =>
  Object.fromEntries(Object.entries(keeps).filter(([name]) => name === "input" || !(name in output)));
