import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { showRunMedia } from "../../shared/stores/objects/show-run-media.ts";
import type { RunsDeps } from "./runs-deps.ts";
import { visibleRun } from "./visible-run.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "findAgent">;

/** @source contract, runs-and-queue section 6 */
export const getAgentRun: Handler<typeof runRoutes.getAgentRun, Needs> = async (request, deps) => {
  const { agent_id, run_id } = request.params;
  if (!deps.findAgent(agent_id)) throw notFound("agent", agent_id);
  const asked = { component_id: agent_id, session_id: request.query.session_id, run_id };
  const run = await visibleRun(deps.db, callerOf(request.principal), asked, epochSeconds(deps.clock));
  return showRunMedia(deps.db, run.output);
};
