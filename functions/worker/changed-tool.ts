import type { Runnable } from "../../shared/engine/define/runnable.ts";
import { changedCall } from "../../shared/engine/pause/tool-digest.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { readCheckpoint } from "../../shared/stores/runs/checkpoints/read-checkpoint.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { Execution, WorkerDeps } from "./worker-deps.ts";

/**
 * Why a run may not go on with this code although its component may: a person was asked about a call, and its tool has
 * changed since. Where a run is pinned, this was not compared when the person answered, because other code than that of
 * the request would execute the call.
 *
 * It is read only where the code may be another one than at the pause: in a run that loses its pin here, that was requeued,
 * or where runs are not pinned.
 */
export async function changedTool(
  { db, pin }: WorkerDeps,
  { job, migrates }: Execution,
  run: StoredRun,
  runnable: Runnable,
): Promise<string | undefined> {
  // A workflow's answers are compared when they are given, whatever the version.
  if (runnable.kind === "workflow" || !run.digests || (pin && !migrates && !job.requeued)) return undefined;
  const checkpoint = await readCheckpoint<RunState>(db, run);
  const changed = checkpoint && changedCall(checkpoint.state, runnable, run.digests);
  return (
    changed &&
    `the tool ${changed.tool_name} has changed since a person was asked about its call; start the run anew`
  );
}
