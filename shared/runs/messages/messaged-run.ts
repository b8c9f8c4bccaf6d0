import { type Caller, callerOf } from "../../auth/caller.ts";
import { notFound } from "../../errors.ts";
import type { runRoutes } from "../../routes/runs.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { readEvents } from "../../stores/runs/events.ts";
import { listOpenRuns } from "../../stores/runs/listing/live-runs.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { getSessionHead } from "../../stores/sessions/session-item.ts";
import { type Component, type RunsRequest, requireComponent } from "../component.ts";
import { findRun, findVisibleRun, requireSessionId } from "../find-run.ts";
import type { RunsDeps } from "../runs-deps.ts";

type Needs = Pick<RunsDeps, "db" | "clock" | "knowsRunnable">;
type Request = Pick<RunsRequest<typeof runRoutes.getAgentRun>, "component" | "params" | "principal">;

/**
 * The run that a message is for. An admin may leave its session out where it is queued. For the run of a team's member, as the
 * events of its team name it, that is the run of the team, which has the messages of both.
 *
 * @throws ServiceError BAD_REQUEST without a session, NOT_FOUND for what is not the caller's
 */
export async function messagedRun(
  { component, params: { run_id }, principal }: Request,
  deps: Needs,
  session_id: string | undefined,
): Promise<StoredRun> {
  await requireComponent(deps, component);
  const caller = callerOf(principal);
  requireSessionId(caller, session_id);
  const run = await findRun(deps.db, caller, { component, session_id, run_id }, epochSeconds(deps.clock));
  if (run) return run;
  const team =
    component.kind === "team" && session_id !== undefined
      ? await teamOfMember(deps, caller, { component, session_id, run_id })
      : undefined;
  if (!team) throw notFound("run", run_id);
  return team;
}

/**
 * The run of a team, live or paused, in whose events a member's run is.
 *
 * @source docs/interface/runs.md 7.8
 */
async function teamOfMember(
  { db, clock }: Needs,
  caller: Caller,
  member: { readonly component: Component; readonly session_id: string; readonly run_id: string },
): Promise<StoredRun | undefined> {
  const { component, session_id } = member;
  const now = epochSeconds(clock);
  const session = await getSessionHead(db, session_id);
  if (!session || !(caller.seesAll || session.user_id === caller.user_id)) return undefined;
  for (const run_id of await listOpenRuns(db, session.user_id, session_id, now)) {
    const run = await findVisibleRun(db, caller, { component, session_id, run_id }, now);
    if (!run) continue;
    const { events } = await readEvents(db, run);
    if (events.some((event) => event.run_id === member.run_id)) return run;
  }
  return undefined;
}
