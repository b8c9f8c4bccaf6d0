import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRuns } from "../../shared/stores/runs/list-runs.ts";
import { agentRunRow } from "../../shared/stores/runs/run-row.ts";
import { getSessionHead } from "../../shared/stores/sessions/get-session.ts";
import type { RunsDeps } from "./runs-deps.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "findAgent">;

/** @source contract, runs-and-queue section 6: unknown statuses give an empty list, not an error */
export const listAgentRuns: Handler<typeof runRoutes.listAgentRuns, Needs> = async (request, deps) => {
  const { agent_id } = request.params;
  const { session_id, status } = request.query;
  if (!deps.findAgent(agent_id)) throw notFound("agent", agent_id);
  const caller = callerOf(request.principal);
  const session = await getSessionHead(deps.db, session_id);
  const isVisible = session && (caller.seesAll || session.user_id === caller.user_id);
  if (!isVisible || session.component_id !== agent_id) throw notFound("session", session_id);
  const runs = await listRuns(deps.db, session.user_id, session_id, epochSeconds(deps.clock));
  return runs.filter((run) => status === undefined || run.status === status).map(agentRunRow);
};
