import { callerOf } from "../../shared/auth/caller.ts";
import { checkpointAt, checkpointsOf, snapshotAt } from "../../shared/domain/runs/checkpoints-of.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { type RunsDeps, type RunsRequest, requireComponent, visibleRun } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { shownOutput } from "../../shared/stores/runs/run-row.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;

/** Any number of messages up to all of them, else 400. */
export async function getCheckpoint(request: RunsRequest<typeof runRoutes.getAgentCheckpoint>, deps: Needs) {
  const { run_id, message_index } = request.params;
  const { session_id } = request.query;
  await requireComponent(deps, request.component);
  const address = { component: request.component, session_id, run_id };
  const { output } = await visibleRun(
    deps.db,
    callerOf(request.principal),
    address,
    epochSeconds(deps.clock),
  );
  const index = indexOf(message_index, output);
  const earlier = checkpointsOf(output).filter((one) => one.message_index < index);
  const snapshot = await shownOutput(deps.db, snapshotAt(output, index));
  return { checkpoint: checkpointAt(output, index, earlier.length + 1), snapshot };
}

function indexOf(text: string, { messages = [] }: RunOutput): number {
  const index = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (index <= messages.length) return index;
  throw new ServiceError("BAD_REQUEST", `message_index must be a number from 0 to ${messages.length}`);
}
