import { describeTeam } from "../../shared/engine/component/describe-team-and-workflow.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { type RunnablesDeps, showStored } from "../../shared/runnables/index.ts";

export const getTeam: Handler<typeof runnableRoutes.getTeam, RunnablesDeps> = async (
  { params, principal },
  deps,
) => {
  const team = deps.registry.teams.find(({ id }) => id === params.team_id);
  return team ? describeTeam(team, deps.models) : showStored("team", params.team_id, principal, deps);
};
