import type { Db } from "../db.ts";
import { unspillBytes } from "../objects/unspill.ts";
import { type Checkpoint, unpackCheckpoint } from "./checkpoint.ts";
import type { StoredRun } from "./run-item.ts";

/** Where a run can be taken up; undefined where none was kept. The state's type is what the engine writes. */
export async function readCheckpoint<State>(
  db: Db,
  { checkpoint }: StoredRun,
): Promise<Checkpoint<State> | undefined> {
  return checkpoint && unpackCheckpoint<State>(await unspillBytes(db, checkpoint));
}
