import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import {
  type Large,
  packJson,
  spillBytes,
  spillFields,
  unpackJson,
  unspillBytes,
  unspillFields,
} from "../objects/spill.ts";
import type { StoredRun } from "./run-item.ts";
import type { RunAddress } from "./run-keys.ts";

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
  const { plain, large } = await spillFields(db, sessionObjects(at.owner, at.session_id), output);
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

/** The beginning of the input, so that a record without its large fields still shows what it is about. */
const previewOf = ({ input }: StoredOutput): StoredOutput["input"] => ({
  input_content: input.input_content.slice(0, PREVIEW_CHARS),
});

/** Large fields that the output replaces do not stay. The input always does: the output may have only its preview. */
const stillValid = (output: StoredOutput, keeps: Large = {}): Large =>
  Object.fromEntries(Object.entries(keeps).filter(([name]) => name === "input" || !(name in output)));
