import type { Db } from "../../db.ts";
import { unspillBytes } from "../../objects/unspill.ts";
import type { StoredRun } from "../run-item.ts";
import { type Checkpoint, unpackCheckpoint } from "./checkpoint.ts";

/** Where a run can be resumed; undefined if no checkpoint was saved. The engine writes the state and knows its type. */
export async function readCheckpoint<State>(
  db: Db,
  { checkpoint }: StoredRun,
): Promise<Checkpoint<State> | undefined> {
  return checkpoint && unpackCheckpoint<State>(await unspillBytes(db, checkpoint));
}
