import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { generateSessionName } from "../../shared/engine/turn/generate-session-name.ts";
import { ServiceError } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRecentRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { componentOf } from "./component-data.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/** Runs that the model is shown. */
const RUNS = 3;

/**
 * Has the model of the session's agent or team name it after its latest runs.
 *
 * @param user_id  who asks for the name, and pays for it
 * @throws ServiceError BAD_REQUEST when nothing was said yet; UNAVAILABLE when the model gives no name;
 *         TOO_MANY_REQUESTS when the user's daily budget has no room
 */
export async function findName(
  session: StoredSession,
  user_id: string | null,
  deps: Pick<
    SessionsDeps,
    "db" | "clock" | "models" | "modelGate" | "dailyBudgets" | "findRunnable" | "newSessionId"
  >,
  signal: AbortSignal,
): Promise<string> {
  const { db, clock } = deps;
  const at = { owner: session.user_id, session_id: session.session_id };
  const wanted = { count: RUNS, counts: (run: StoredRun) => !isNested(run) };
  const runs = await listRecentRuns(db, at, wanted, epochSeconds(clock));
  const turns = runs.map(({ output }) => ({
    question: output.input.input_content,
    answer: typeof output.content === "string" ? output.content : JSON.stringify(output.content ?? ""),
  }));
  if (turns.length === 0) {
    throw new ServiceError("BAD_REQUEST", "no run of this session has completed; give it a session_name");
  }
  const component = await componentOf(session, deps);
  // A workflow has no model of its own.
  const agent = component?.kind === "workflow" ? undefined : component;
  const { model: spec, helper_model: helper = deps.models.helper } = agent ?? {};
  const key = `name#${session.session_id}#${deps.newSessionId()}`;
  try {
    return await generateSessionName(
      (options) => answerWithinBudget(deps, { spec, helper, user_id, key, options }, signal),
      turns,
    );
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("UNAVAILABLE", "the model gave no name; try again, or give a session_name", {
      cause,
    });
  }
}
