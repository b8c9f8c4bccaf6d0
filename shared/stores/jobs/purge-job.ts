import { exists, type Guard, type Item, isNoText, isText, updateItem, write } from "../../data/index.ts";
import { SESSION_DELETED } from "../../domain/sessions/session-deleted.ts";
import type { Db } from "../db.ts";
import { jobKey } from "./job-keys.ts";

const NOTHING = { input: "", kwargs: {} };

/**
 * Removes what was said from a job that has ended: its payload, and its error where it has one. Its row stays on the
 * list of jobs. A job past its retention is purged too: the table deletes it later. Idempotent.
 */
export async function purgeJob(db: Db, id: string): Promise<void> {
  const said = { payload: NOTHING, payload_large: undefined };
  const purge = (set: Item, guard: Guard) => write(db, updateItem("jobs", jobKey(id), { set, guard }));
  // What a model or a tool answers is quoted in the error.
  const { written } = await purge({ ...said, error: SESSION_DELETED }, { error: isText });
  if (!written) await purge(said, [exists, { error: isNoText }]);
}
