import { mapMessageMedia, namedMedium } from "../../shared/domain/runs/output-media.ts";
import { MAX_ANSWER_BYTES } from "../../shared/http/max-answer-bytes.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";
import type { SessionDetail } from "../../shared/schemas/sessions/session.ts";
import { listRunsBetween } from "../../shared/stores/runs/listing/list-runs-between.ts";
import { isNested, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { componentData, componentOf } from "./component-data.ts";
import { nameOf, sumsOf, timesOf } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

type Needs = Pick<SessionsDeps, "db" | "clock" | "findRunnable" | "models">;

/**
 * A session in the form of its type, nulls included.
 *
 * @param limit  how many of its newest runs the chat history has; as many as fit when absent
 */
export async function sessionDetail(
  session: StoredSession,
  deps: Needs,
  limit?: number,
): Promise<SessionDetail> {
  const { session_id, session_type, session_state, user_id, component_id } = session;
  const component = await componentOf(session, deps);
  const common = {
    session_id,
    session_name: nameOf(session),
    user_id,
    [`${session_type}_id`]: component_id ?? null,
    session_state,
    [`${session_type}_data`]: component ? componentData(component, deps.models) : null,
    metadata: session.metadata ?? null,
    ...timesOf(session),
  };
  if (session_type === "workflow")
    return { ...common, workflow_name: component?.name ?? null, session_data: sessionData(session) };
  return {
    ...common,
    ...(session_type === "agent" && { agent_session_id: session_id }),
    session_summary: session.summary ?? null,
    metrics: sumsOf(session),
    total_tokens: session.total_tokens,
    chat_history: await chatHistory(session, deps, limit),
  };
}

function sessionData(session: StoredSession) {
  const { session_name = null, session_state } = session;
  return { session_name, session_state, session_metrics: sumsOf(session) };
}

/** The messages of a session, in order; of a very long one the last ones. */
async function chatHistory(
  { user_id, session_id }: StoredSession,
  { db, clock }: Needs,
  limit: number | undefined,
): Promise<Message[]> {
  if (limit === 0) return [];
  const show = async (run: StoredRun) => {
    if (isNested(run)) return undefined;
    const value = messagesOf(run);
    return { value, bytes: Buffer.byteLength(JSON.stringify(value)) };
  };
  const wanted = { show, limit, maxBytes: MAX_ANSWER_BYTES };
  const { shown } = await listRunsBetween(db, user_id, session_id, wanted, epochSeconds(clock));
  return shown.flat();
}

/** User and assistant messages of a run, without those of its history. */
function messagesOf({ output }: StoredRun): Message[] {
  return (output.messages ?? [])
    .filter(({ role, from_history }) => (role === "user" || role === "assistant") && !from_history)
    .map((message) => mapMessageMedia(message, namedMedium));
}
