import type { Db } from "../../stores/db.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import { isBeginningOf } from "../../stores/runs/event-base.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunExecution } from "./execute-run.ts";
import type { ExecutionState } from "./execute-runnable.ts";
import { pendingOf } from "./pending-of.ts";

/**
 * Where a run resumes that was begun before: where the last process suspended it; or, in a new attempt, after the last
 * step that an earlier attempt saved. The steps after that one, and their events, are repeated.
 *
 * @param wasSuspended  whether the last process saved a checkpoint as its last act
 */
export async function resumePoint(
  db: Db,
  run: StoredRun,
  wasSuspended: boolean,
): Promise<
  Pick<RunExecution, "nextIndex" | "from" | "pending" | "continues" | "resumes" | "unwrittenSpans">
> {
  const nextIndex = await nextEventIndex(db, run);
  const checkpoint = await readCheckpoint<ExecutionState>(db, run);
  if (!checkpoint) return { nextIndex };
  const { state, next_index = 0, untold = [], continues, unwritten_spans = [] } = checkpoint;
  const pending = pendingOf(run, checkpoint);
  if (wasSuspended) return { nextIndex, from: state, pending };
  const [first] = untold;
  // Where not even the beginning was written, what still stands is of attempts before it.
  const voidsFrom = first && isBeginningOf(run.run_id, first) ? 0 : (first?.event_index ?? next_index);
  return {
    nextIndex: Math.max(nextIndex, next_index),
    from: state,
    pending,
    unwrittenSpans: unwritten_spans,
    ...(continues && { continues }),
    ...(next_index > 0 && { resumes: { voidsFrom, untold } }),
  };
}
