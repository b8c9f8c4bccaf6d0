import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { refuseChatSession } from "../../shared/domain/sessions/chat-session.ts";
import {
  declined,
  planCompaction,
  planFold,
  type SaidRun,
} from "../../shared/domain/sessions/plan-compaction.ts";
import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { compactHistory } from "../../shared/engine/turn/compact-history.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { runRoutes } from "../../shared/routes/runs.ts";
import {
  type Component,
  type RunsDeps,
  type RunsRequest,
  requireComponent,
} from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { CompactionResult } from "../../shared/schemas/sessions/compaction.ts";
import { runsFromNewest } from "../../shared/stores/runs/listing/list-runs-between.ts";
import { isNested } from "../../shared/stores/runs/run-item.ts";
import { getSession, type StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { updateSession } from "../../shared/stores/sessions/update-session.ts";

type Needs = Pick<
  RunsDeps,
  "db" | "clock" | "models" | "modelGate" | "dailyBudgets" | "findRunnable" | "knowsRunnable" | "newRunId"
>;

/** Most runs that one summary is made of; what is older is left out of it, as it is of every history. */
const MOST_RUNS = 200;

/**
 * Folds the older history of a session into a summary by the agent's model. The summary stands for it in the history
 * that the next runs are shown; the stored runs stay as they are.
 *
 *   runs   1  2  3  4  5  6        compact        summary(1–4)  5  6        two runs later        summary(1–4)  5  6  7  8
 *
 * @throws ServiceError NOT_FOUND for a session that is unknown, another user's or another agent's; TOO_MANY_REQUESTS
 *         when the caller's daily budget has no room; UNAVAILABLE when the model fails
 */
export async function compactAgentSession(
  { params, principal, component, signal }: RunsRequest<typeof runRoutes.compactAgentSession>,
  deps: Needs,
): Promise<CompactionResult> {
  const { session_id } = params;
  refuseChatSession(session_id);
  await requireComponent(deps, component);
  const session = await ownSession(deps, callerOf(principal), component, session_id);
  const agent = await deps.findRunnable(component.kind, component.id);
  if (!agent || agent.kind === "workflow") throw notFound(component.kind, component.id);
  if (!agent.add_history_to_context) {
    return declined("not_enabled", "this agent is shown no history, so there is nothing to shorten");
  }
  const { compaction } = session;
  const fold = planFold(await runsSince(deps, session), compaction);
  if (!("messages" in fold)) return fold;
  const call = {
    spec: agent.model,
    helper: agent.helper_model ?? deps.models.helper,
    user_id: principal.user_id,
    key: `compact#${session_id}#${deps.newRunId()}`,
  };
  const summary = await compactHistory(
    (options) => answerWithinBudget(deps, { ...call, options }, signal),
    fold.messages,
    compaction?.summary,
  ).catch((cause) => {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("UNAVAILABLE", "the model gave no summary; try again", { cause });
  });
  const now = epochSeconds(deps.clock);
  const result = planCompaction(fold, compaction, summary, now);
  if (!result.record) return result;
  const written = await updateSession(deps.db, session, { compaction: result.record }, now);
  if (!written) throw notFound("session", session_id);
  return result;
}

async function ownSession(
  { db }: Needs,
  caller: Caller,
  component: Component,
  sessionId: string,
): Promise<StoredSession> {
  const session = await getSession(db, sessionId);
  const isVisible = session && (caller.seesAll || session.user_id === caller.user_id);
  const isOwn = session?.session_type === component.kind && session.component_id === component.id;
  if (!isVisible || !isOwn) throw notFound("session", sessionId);
  return session;
}

/** The completed runs that no summary stands for yet, the oldest first. */
async function runsSince({ db, clock }: Needs, session: StoredSession): Promise<SaidRun[]> {
  const { user_id, session_id, compaction } = session;
  const filter = { statuses: new Set(["COMPLETED"] as const) };
  const runs: SaidRun[] = [];
  for await (const run of runsFromNewest(db, user_id, session_id, filter, epochSeconds(clock))) {
    if (compaction && run.run_id <= compaction.through_run_id) break;
    if (isNested(run)) continue;
    const own = (run.output.messages ?? []).filter(
      (message) => !message.from_history && message.role !== "system",
    );
    runs.push({ run_id: run.run_id, messages: own });
    if (runs.length >= MOST_RUNS) break;
  }
  return runs.reverse();
}
