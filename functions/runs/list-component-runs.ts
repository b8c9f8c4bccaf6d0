import { callerOf } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import { type RunsDeps, type RunsRequest, requireComponent } from "../../shared/runs/index.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { signMadeMedia } from "../../shared/stores/objects/show-media.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { isNested } from "../../shared/stores/runs/run-item.ts";
import { runRow } from "../../shared/stores/runs/run-row.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;

/** @source docs/interface/runs.md 6.1 */
export async function listComponentRuns(request: RunsRequest<typeof runRoutes.listAgentRuns>, deps: Needs) {
  const { component } = request;
  const { session_id, status } = request.query;
  await requireComponent(deps, request.component);
  const caller = callerOf(request.principal);
  const session = await getSessionHead(deps.db, session_id);
  const isVisible = session && (caller.seesAll || session.user_id === caller.user_id);
  const isOwn = session?.session_type === component.kind && session.component_id === component.id;
  if (!isVisible || !isOwn) throw notFound("session", session_id);
  noteOwner(session.user_id);
  const runs = await listRuns(deps.db, session.user_id, session_id, epochSeconds(deps.clock));
  const shown = runs.filter((run) => !isNested(run) && (status === undefined || run.status === status));
  return Promise.all(
    shown.map(async (run) => runRow({ ...run, output: await signMadeMedia(deps.db, run.output) })),
  );
}
