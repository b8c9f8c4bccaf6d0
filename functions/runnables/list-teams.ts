import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { listRunnables, type RunnablesDeps } from "../../shared/runnables/index.ts";

export const listTeams: Handler<typeof runnableRoutes.listTeams, RunnablesDeps> = ({ principal }, deps) =>
  listRunnables.team(principal, deps);
