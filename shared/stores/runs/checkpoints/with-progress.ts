import { outputSoFar } from "../../../domain/runs/output-so-far.ts";
import type { Db } from "../../db.ts";
import { readEvents } from "../events.ts";
import type { StoredRun } from "../run-item.ts";

/**
 * A run that goes on, with what it has said and done so far; any other run as it is. Events reach the store about a
 * quarter of a second after they happened.
 */
export async function withProgress(db: Db, run: StoredRun): Promise<StoredRun> {
  if (run.status !== "RUNNING") return run;
  const { events } = await readEvents(db, run);
  return { ...run, output: { ...outputSoFar(run.output, events), status: run.status } };
}
