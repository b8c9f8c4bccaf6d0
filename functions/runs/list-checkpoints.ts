import { callerOf } from "../../shared/auth/caller.ts";
import { checkpointsOf } from "../../shared/domain/checkpoints-of.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { RunsDeps } from "./runs-deps.ts";
import { visibleRun } from "./visible-run.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "findAgent">;

/** @source contract, runs-and-queue section 9 */
export const listCheckpoints: Handler<typeof runRoutes.listCheckpoints, Needs> = async (request, deps) => {
  const { agent_id, run_id } = request.params;
  const { session_id } = request.query;
  if (!deps.findAgent(agent_id)) throw notFound("agent", agent_id);
  const asked = { component_id: agent_id, session_id, run_id };
  const run = await visibleRun(deps.db, callerOf(request.principal), asked, epochSeconds(deps.clock));
  return { run_id, session_id, checkpoints: checkpointsOf(run.output) };
};
