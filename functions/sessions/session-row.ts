import type { SessionItem } from "../../shared/schemas/sessions/session.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { nameOf, sumsOf, timesOf } from "./session-fields.ts";

/** A session as lists show it: what is unknown is left out. */
export function sessionRow(session: StoredSession): SessionItem {
  const { session_id, session_type, session_state, user_id, component_id, summary, metadata } = session;
  const sums = sumsOf(session);
  return {
    session_id,
    session_name: nameOf(session),
    session_state,
    ...timesOf(session),
    session_type,
    ...(user_id !== null && { user_id }),
    ...(component_id !== undefined && { [`${session_type}_id`]: component_id }),
    ...(summary && { session_summary: summary }),
    metrics: session_type === "workflow" ? {} : sums,
    total_tokens: session.total_tokens,
    ...(sums.cost !== undefined && { total_cost: sums.cost }),
    ...(metadata && { metadata }),
  };
}
