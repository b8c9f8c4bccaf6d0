import { describeTeam } from "../../shared/engine/describe/describe-team.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { readableDeclared } from "./readable-declared.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Stored components come after declared ones. */
export const listTeams: Handler<typeof runnableRoutes.listTeams, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const { registry, models } = deps;
  const declared = readableDeclared(registry, principal, "teams").map((team) => describeTeam(team, models));
  return [...declared, ...(await listStored("team", principal, deps))];
};
