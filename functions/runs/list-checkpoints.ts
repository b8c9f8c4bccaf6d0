import { callerOf } from "../../shared/auth/caller.ts";
import { checkpointsOf } from "../../shared/domain/runs/checkpoints-of.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { type RunsDeps, type RunsRequest, requireComponent, visibleRun } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;

export async function listCheckpoints(
  request: RunsRequest<typeof runRoutes.listAgentCheckpoints>,
  deps: Needs,
) {
  const { run_id } = request.params;
  const { session_id } = request.query;
  await requireComponent(deps, request.component);
  const address = { component: request.component, session_id, run_id };
  const run = await visibleRun(deps.db, callerOf(request.principal), address, epochSeconds(deps.clock));
  return { run_id, session_id, checkpoints: checkpointsOf(run.output) };
}
