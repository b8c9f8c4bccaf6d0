import { callerOf } from "../../auth/caller.ts";
import { notFound } from "../../errors.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { type RunsRequest, requireComponent } from "../component.ts";
import { findRun, requireSessionId } from "../find-run.ts";
import type { RunsDeps } from "../runs-deps.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;
type Request = Pick<RunsRequest<typeof runRoutes.getAgentRun>, "component" | "params" | "principal">;

/**
 * The run that a message is for. An admin may leave its session out where it is queued.
 *
 * @throws ServiceError BAD_REQUEST without a session, NOT_FOUND for what is not the caller's
 */
export async function messagedRun(
  { component, params: { run_id }, principal }: Request,
  deps: Needs,
  session_id: string | undefined,
): Promise<StoredRun> {
  await requireComponent(deps, component);
  const caller = callerOf(principal);
  requireSessionId(caller, session_id);
  const run = await findRun(deps.db, caller, { component, session_id, run_id }, epochSeconds(deps.clock));
  if (!run) throw notFound("run", run_id);
  return run;
}
