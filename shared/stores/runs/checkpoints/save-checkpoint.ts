import { write } from "../../../data/write.ts";
import type { Db } from "../../db.ts";
import { sessionObjects } from "../../objects/object-prefix.ts";
import { spillBytes } from "../../objects/spill.ts";
import type { RunAddress } from "../run-address.ts";
import { runUpdate } from "../run-update.ts";

/** Most bytes of a checkpoint in the record itself, beside its output and last events. */
const MAX_CHECKPOINT_BYTES = 40_000;

/**
 * Saves the checkpoint of an execution on its run's record.
 *
 * @param at  the run as it was when this process began to execute it
 * @returns   false when a later attempt has the record, this one was handed off, or it is not RUNNING: nothing was written
 */
export async function saveCheckpoint(
  db: Db,
  at: RunAddress & { readonly hops?: number | undefined },
  attempt: number,
  packed: Uint8Array,
): Promise<boolean> {
  const prefix = sessionObjects(at.owner, at.session_id);
  const checkpoint = await spillBytes(db, prefix, packed, MAX_CHECKPOINT_BYTES);
  const change = { status: "RUNNING", checkpoint } as const;
  return (await write(db, runUpdate(at, { by: "start", attempt, hops: at.hops ?? 0 }, change))).written;
}
