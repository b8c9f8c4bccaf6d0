import { callerOf } from "../../shared/auth/caller.ts";
import { requireDatabase, SESSION_TABLE } from "../../shared/domain/databases/database.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { EVERYBODY, noteOwner } from "../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  type SessionItem,
  type SessionSortField,
  sessionSortFields,
} from "../../shared/schemas/sessions/session.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listSessions as findSessions } from "../../shared/stores/sessions/list-sessions.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import { nameOf, sumsOf, timesOf } from "./session-fields.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { requestedOwner } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/**
 * One page of sessions without their runs. Page 0 is the first page, and echoed as 0.
 *
 * @source docs/interface/sessions.md 2.1
 */
export const listSessions: Handler<typeof sessionRoutes.listSessions, Needs> = async (
  { query, principal },
  { db, clock },
) => {
  requireDatabase(query, SESSION_TABLE);
  const { type, component_id, session_name, page, limit, sort_order } = query;
  const owner = requestedOwner(callerOf(principal), query);
  noteOwner(owner ?? EVERYBODY);
  const sort_by = sortFieldOf(query.sort_by);
  const filter = {
    owner,
    type,
    component_id,
    session_name,
    page: Math.max(1, page),
    limit,
    sort_by,
    sort_order,
  };
  const startedAt = clock.now();
  const { sessions, total } = await findSessions(db, filter, epochSeconds(clock));
  const data = sessions.map(sessionRow);
  refuseTooLarge(data, "the states of these sessions");
  return { data, meta: pageMeta(page, limit, total, clock.now() - startedAt) };
};

/** Unknown columns are ignored. */
function sortFieldOf(name: string): SessionSortField {
  return sessionSortFields.find((field) => field === name) ?? "created_at";
}

/** A session as lists show it: what is unknown is left out. */
function sessionRow(session: StoredSession): SessionItem {
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
