import * as v from "valibot";
import { runStatuses } from "../schemas/runs/run.ts";
import { RunPreview, RunRow } from "../schemas/runs/run-row.ts";
import {
  CreateSessionBody,
  PatchSessionBody,
  RemoveSessionsBody,
  RenameSessionBody,
  SessionDetail,
  SessionItem,
  SessionType,
} from "../schemas/sessions/session.ts";
import { describedAs, meaning } from "../schemas/values/described-as.ts";
import { booleanText, integerText, optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { created, only, place, sorting, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const SessionParams = v.object({ session_id: idOf("the session") });
const RunParams = v.object({ ...SessionParams.entries, run_id: idOf("the run") });

const owned = { user_id, ...place };
const ofType = "The kind of component that the session is with";
const typed = { type: meaning(v.optional(SessionType), ofType), ...owned };

/** Most runs that can be asked for at once. */
const MOST_RUNS = 1_000;

/** Which runs of a session are listed. */
const runsFilter = {
  ...typed,
  /** In any case. Checked in the handler: an unknown status answers 400, not 422. */
  status: meaning(
    v.optional(v.array(describedAs(v.string(), { type: "string", enum: [...runStatuses] }))),
    "Only runs in any of these states",
  ),
  ...created,
  before_run_id: meaning(OptionalKeyText, "Only runs before this one; the header x-before-run-id has it"),
  limit: meaning(
    v.optional(integerText({ min: 1, max: MOST_RUNS })),
    "At most this many of the newest; without it all that fit",
  ),
};

/** @source docs/interface/sessions.md 1.1 */
export const sessionRoutes = {
  listSessions: {
    method: "GET",
    path: "/sessions",
    scopes: ["sessions:read"],
    query: v.object({
      ...typed,
      component_id: only(OptionalKeyText, "agent, team or workflow"),
      session_name: meaning(optionalText(), "A part of the stored name, in any case"),
      ...pageQuery(1000, { firstPage: 0 }),
      ...sorting("created_at"),
    }),
    response: pageOf(SessionItem),
    example: { query: { type: "agent", session_name: "order" } },
    summary: "List sessions, the newest first",
    description:
      "The default order costs the page alone, however many sessions there are. session_name matches a part of a stored name, in any case.",
  },
  createSession: {
    method: "POST",
    path: "/sessions",
    scopes: ["sessions:write"],
    query: v.object({ type: meaning(v.optional(SessionType, "agent"), ofType), ...owned }),
    body: { json: v.optional(CreateSessionBody, {}) },
    status: 201,
    response: SessionDetail,
    refuses: [409],
    example: {
      query: { type: "agent" },
      body: { session_name: "Order 4711", agent_id: "assistant", session_state: { order: "4711" } },
    },
    summary: "Create a session before its first run",
  },
  removeSessions: {
    method: "DELETE",
    path: "/sessions",
    scopes: ["sessions:delete"],
    query: v.object(owned),
    body: { json: RemoveSessionsBody },
    status: 204,
    response: null,
    example: { body: { session_types: ["agent"] } },
    summary: "Delete several sessions with all that belongs to them",
  },
  getSession: {
    method: "GET",
    path: "/sessions/{session_id}",
    scopes: ["sessions:read"],
    params: SessionParams,
    query: v.object({
      ...typed,
      history_runs: meaning(
        v.optional(integerText({ min: 0, max: MOST_RUNS })),
        "How many of the newest runs chat_history has; without it all that fit",
      ),
    }),
    response: SessionDetail,
    example: { query: { type: "agent" } },
    summary: "Show one session with its conversation",
  },
  updateSession: {
    method: "PATCH",
    path: "/sessions/{session_id}",
    scopes: ["sessions:write"],
    params: SessionParams,
    query: v.object(typed),
    body: { json: PatchSessionBody },
    response: SessionDetail,
    example: { body: { session_state: { order: "4711", paid: true } } },
    summary: "Change name, state, metadata or summary; each is replaced whole",
  },
  removeSession: {
    method: "DELETE",
    path: "/sessions/{session_id}",
    scopes: ["sessions:delete"],
    params: SessionParams,
    query: v.object(owned),
    status: 204,
    response: null,
    strangers: 204,
    summary: "Delete a session with its runs, events and files",
    description:
      "It is gone for every reader at once; its live runs are cancelled, and what belongs to it is removed in the background.",
  },
  renameSession: {
    method: "POST",
    path: "/sessions/{session_id}/rename",
    scopes: ["sessions:write"],
    params: SessionParams,
    query: v.object(typed),
    body: { json: RenameSessionBody },
    response: SessionDetail,
    refuses: [503],
    example: { body: { session_name: "Order 4711, paid" } },
    summary: "Name a session, or have the model name it",
  },
  listSessionRuns: {
    method: "GET",
    path: "/sessions/{session_id}/runs",
    scopes: ["sessions:read"],
    params: SessionParams,
    query: v.object(runsFilter),
    response: v.array(RunRow),
    refuses: [400],
    example: { query: { created_after: 1772615000 } },
    summary: "List the runs of a session, the oldest first",
    description:
      "A run that goes on shows what it has said and done so far; a session is 404 while nothing is known of its only run. Bounds are epoch seconds and inclusive. status may be repeated. Of a session whose runs do not fit into one answer, or are more than limit, the newest are shown. The headers x-before-run-id and x-created-before then name the bounds that give the ones before them.",
  },
  listRunPreviews: {
    method: "GET",
    path: "/sessions/{session_id}/run-previews",
    scopes: ["sessions:read"],
    params: SessionParams,
    query: v.object(runsFilter),
    response: v.array(RunPreview),
    refuses: [400],
    example: { query: { status: ["RUNNING", "COMPLETED"] } },
    summary: "List the runs of a session with the beginning of input and answer, the oldest first",
    description: "For clients that poll. Filters and limits are those of the list of runs.",
  },
  getSessionMedium: {
    method: "GET",
    path: "/sessions/{session_id}/media/{key}",
    scopes: ["sessions:read"],
    params: v.object({
      ...SessionParams.entries,
      key: meaning(v.string(), "storage_key of the file's media_reference"),
    }),
    query: v.object({
      ...typed,
      redirect: meaning(v.optional(booleanText(), "false"), "Answer 307 with the address of the file"),
    }),
    response: { mediaType: "application/octet-stream", varies: true },
    also: { 307: null },
    summary: "Give a stored file of a session's runs, or the address at which it is",
    description:
      "key is storage_key of the file's media_reference. redirect=true answers 307 with an address that is valid for an hour, and so does every file above 4 MB. A browser is given pictures, recordings, films, texts and PDF under their own type, and everything else to save.",
  },
  getSessionRun: {
    method: "GET",
    path: "/sessions/{session_id}/runs/{run_id}",
    scopes: ["sessions:read"],
    params: RunParams,
    query: v.object(typed),
    response: RunRow,
    summary: "Show one run of a session",
  },
} as const satisfies RouteTable;
