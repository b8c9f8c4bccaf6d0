import { readableIds } from "../../shared/auth/scopes.ts";
import { describeTeam } from "../../shared/engine/describe-team.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Who may read some teams only gets those. What is stored comes after what is declared. @source contract, auth section 7, "Listing rule" */
export const listTeams: Handler<typeof runnableRoutes.listTeams, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const { registry, models } = deps;
  const ids = readableIds(principal, "teams");
  const readable = registry.teams.filter(({ id }) => ids === "all" || ids.has(id));
  const declared = readable.map((team) => describeTeam(team, models));
  return [...declared, ...(await listStored("team", principal, deps))];
};
