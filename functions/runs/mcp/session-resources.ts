import { threadMessages } from "../../../shared/agui/thread-messages.ts";
import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { noteOwner } from "../../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import { isNested } from "../../../shared/stores/runs/run-item.ts";
import { getSession } from "../../../shared/stores/sessions/session-item.ts";
import type { McpDeps, McpRequest } from "./mcp-deps.ts";
import { listOwnSessions } from "./read-tools.ts";

const SCHEME = "session://";
const PAGE = 50;

export const uriOf = (session_id: string): string => `${SCHEME}${encodeURIComponent(session_id)}`;

/** One page of the caller's sessions. @param cursor  number of the page, as the page before named it */
export async function listSessionResources(
  { principal }: Pick<McpRequest, "principal">,
  deps: McpDeps,
  cursor = "1",
) {
  const page = /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : 1;
  const { sessions, total } = await listOwnSessions({ page, limit: PAGE }, { principal }, deps);
  return {
    resources: sessions.map(({ session_id, name }) => ({
      uri: uriOf(session_id),
      name,
      mimeType: "application/json",
    })),
    ...(page * PAGE < total && { nextCursor: String(page + 1) }),
  };
}

/**
 * The conversation of a session, as messages.
 *
 * @throws ServiceError NOT_FOUND for what is no session of the caller
 */
export async function readSessionResource(
  { principal }: Pick<McpRequest, "principal">,
  deps: McpDeps,
  uri: string,
) {
  const id = uri.startsWith(SCHEME) ? decoded(uri.slice(SCHEME.length)) : "";
  const caller = callerOf(principal);
  const session = id !== "" && fitsKey(id) ? await getSession(deps.db, id) : undefined;
  if (!session || !(caller.seesAll || session.user_id === caller.user_id)) throw notFound("resource", uri);
  noteOwner(session.user_id);
  const runs = await listRuns(deps.db, session.user_id, session.session_id, epochSeconds(deps.clock));
  const { session_id, session_type, component_id, session_state } = session;
  const messages = threadMessages(
    runs.filter((run) => !isNested(run)),
    false,
  );
  const text = JSON.stringify({ session_id, session_type, component_id, session_state, messages });
  return { contents: [{ uri, mimeType: "application/json", text }] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
