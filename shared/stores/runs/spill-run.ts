import type { Db } from "../db.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import { packJson, unpackJson } from "../objects/packed.ts";
import { spillBytes } from "../objects/spill.ts";
import { unspillBytes, unspillFields } from "../objects/unspill.ts";
import type { StoredRun } from "./run-item.ts";
import { spillOutput } from "./spill-output.ts";

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
