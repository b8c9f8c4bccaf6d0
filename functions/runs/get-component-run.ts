import { callerOf } from "../../shared/auth/caller.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import {
  linksFor,
  type RunsDeps,
  type RunsRequest,
  requireComponent,
  visibleRun,
} from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Callback, ShownCallback } from "../../shared/schemas/deliveries/callback.ts";
import { shownOutput } from "../../shared/stores/runs/run-row.ts";
import { listWithheld } from "../../shared/stores/runs/withheld.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable" | "feedbackLinking">;

export async function getComponentRun(request: RunsRequest<typeof runRoutes.getAgentRun>, deps: Needs) {
  const { run_id } = request.params;
  await requireComponent(deps, request.component);
  const { session_id } = request.query;
  const address = { component: request.component, session_id, run_id };
  const run = await visibleRun(deps.db, callerOf(request.principal), address, epochSeconds(deps.clock));
  const [shown, feedback, withheld] = await Promise.all([
    shownOutput(deps.db, run.output),
    linksFor(deps, request, run.kwargs)(run),
    request.principal.admin ? listWithheld(deps.db, run_id) : [],
  ]);
  return {
    ...shown,
    ...(run.callback && { callback: shownCallback(run.callback) }),
    ...(feedback && { feedback }),
    ...(withheld.length > 0 && { withheld }),
  };
}

/**
 * A callback as the record of its run shows it. What may be secret in an address is left out: its query in any case, and
 * its path where not the request itself has named it.
 */
function shownCallback({ url, events, named_by }: Callback): ShownCallback {
  const { origin, pathname } = new URL(url);
  return { url: named_by === "request" ? `${origin}${pathname}` : origin, events };
}
