import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { missingScopesText } from "../../shared/auth/require-run.ts";
import { mayCall } from "../../shared/auth/scopes/scopes.ts";
import { FEEDBACK_OF_ALL, hasFeedbackScope } from "../../shared/auth/scopes/sees-all-feedback.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { noteOwner } from "../../shared/runtime/audit-scope.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { JudgedSession } from "../../shared/stores/feedback/index.ts";
import { getRun, getRunHead } from "../../shared/stores/runs/get-run.ts";
import { isNested, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";

type Place = { readonly run_id: string; readonly session_id: string };

export type JudgedRun = {
  readonly run: StoredRun;
  readonly session: JudgedSession;
  /** Whether it is the caller's. */
  readonly isOwn: boolean;
};

/**
 * The run that feedback is about, for a caller who has the scopes of its component: to run it, or to read it too.
 *
 * @param whole  whether its messages are needed
 * @param now    epoch seconds
 * @throws ServiceError NOT_FOUND for a run that the caller may not see, with one text for every cause; UNAUTHORIZED
 */
export async function judgedRun(
  db: Db,
  principal: Principal,
  { run_id, session_id }: Place,
  { actions, whole = false, now }: { actions: readonly ("read" | "run")[]; whole?: boolean; now: number },
): Promise<JudgedRun> {
  const { seesAll, user_id } = callerOf(principal);
  const session = await getSessionHead(db, session_id);
  const isOwn = session?.user_id === user_id;
  const maySee = isOwn || seesAll || hasFeedbackScope(principal, FEEDBACK_OF_ALL);
  const at = session && maySee ? { owner: session.user_id, session_id, run_id } : undefined;
  const run = at && (await (whole ? getRun : getRunHead)(db, at, now));
  if (!session || !run || isNested(run)) throw notFound("run", run_id);
  noteOwner(run.owner, session_id);
  requireScopes(principal, run, actions);
  return { run, session, isOwn };
}

/**
 * The same for a caller who says something about it, and in whose name.
 *
 * @throws ServiceError NOT_FOUND, UNAUTHORIZED
 */
export async function runToJudge(
  db: Db,
  principal: Principal,
  place: Place,
  { named, whole, now }: { named: string | undefined; whole?: boolean; now: number },
): Promise<JudgedRun & { readonly author: string | null; readonly isNamed: boolean }> {
  if (named !== undefined) requireFeedbackScope(principal, FEEDBACK_OF_ALL);
  const options = { actions: ["run"], now, ...(whole && { whole }) } as const;
  const judged = await judgedRun(db, principal, place, options);
  if (!judged.isOwn) requireFeedbackScope(principal, "feedback:write");
  return { ...judged, author: named ?? callerOf(principal).user_id, isNamed: named !== undefined };
}

function requireScopes(
  principal: Principal,
  { component_type, component_id: id }: StoredRun,
  actions: readonly ("read" | "run")[],
): void {
  const kind = `${component_type}s` as const;
  const target = { method: "POST", path: `/${kind}/{id}/runs`, params: { id } };
  const missing = actions.filter((action) => !mayCall(principal, [`${kind}:${action}`], target));
  if (missing.length === 0) return;
  throw new ServiceError(
    "UNAUTHORIZED",
    missingScopesText(missing.map((action) => `${kind}:${id}:${action}`)),
  );
}

/** @throws ServiceError UNAUTHORIZED */
export function requireFeedbackScope(principal: Principal, scope: string): void {
  if (!hasFeedbackScope(principal, scope)) throw new ServiceError("UNAUTHORIZED", missingScopesText([scope]));
}
