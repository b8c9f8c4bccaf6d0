import { nameConversation } from "../../shared/engine/name-conversation.ts";
import { ServiceError } from "../../shared/errors.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listRecentRuns } from "../../shared/stores/runs/list-runs.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/** Runs that the model is shown. */
const RUNS = 3;

/**
 * Has the model of the session's agent name it after its latest runs.
 *
 * @throws ServiceError BAD_REQUEST when nothing was said yet; UNAVAILABLE when the model gives no name
 */
export async function findName(
  { session_id, user_id, component_id }: StoredSession,
  { db, clock, models, findAgent }: Pick<SessionsDeps, "db" | "clock" | "models" | "findAgent">,
  signal: AbortSignal,
): Promise<string> {
  const runs = await listRecentRuns(db, user_id, session_id, RUNS, epochSeconds(clock));
  const said = runs.map(({ output }) => ({
    question: output.input.input_content,
    answer: typeof output.content === "string" ? output.content : JSON.stringify(output.content ?? ""),
  }));
  if (said.length === 0) {
    throw new ServiceError("BAD_REQUEST", "no run of this session has completed; give it a session_name");
  }
  const agent = component_id === undefined ? undefined : findAgent(component_id);
  const { model } = await models.resolve(agent?.model);
  try {
    return await nameConversation(model, said, signal);
  } catch (cause) {
    throw new ServiceError("UNAVAILABLE", "the model gave no name; try again, or give a session_name", {
      cause,
    });
  }
}
