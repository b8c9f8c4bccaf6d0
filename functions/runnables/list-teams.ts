import { readableIds } from "../../shared/auth/scopes.ts";
import { describeTeam } from "../../shared/engine/describe-team.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

/** Who may read some teams only gets those. @source contract, auth section 7, "Listing rule" */
export const listTeams: Handler<typeof runnableRoutes.listTeams, RunnablesDeps> = async (
  { principal },
  { registry, models },
) => {
  const ids = readableIds(principal, "teams");
  const readable = registry.teams.filter(({ id }) => ids === "all" || ids.has(id));
  return readable.map((team) => describeTeam(team, models));
};
