import { describeTeam } from "../../shared/engine/describe-team.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

export const getTeam: Handler<typeof runnableRoutes.getTeam, RunnablesDeps> = async (
  { params },
  { registry, models },
) => {
  const team = registry.teams.find(({ id }) => id === params.team_id);
  if (!team) throw notFound("team", params.team_id);
  return describeTeam(team, models);
};
