import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { type ReadBefore, readBefore } from "../../../shared/events/follow-run.ts";
import { EventStream, type HandlerRequest } from "../../../shared/http/handler.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import type { openaiRoutes } from "../../../shared/routes/protocols/openai.ts";
import {
  type Component,
  cancelComponentRun,
  followFrames,
  requireScope,
  visibleRun,
} from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type {
  DeletedResponse,
  InputItemsPage,
  ResponseObject,
} from "../../../shared/schemas/openai/response.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { removeSessions } from "../../../shared/stores/sessions/remove-sessions.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import { inputItemsOf } from "./input-items.ts";
import { responseFrames } from "./response-frames.ts";
import { RESPONSE, responseOf } from "./response-of.ts";
import { placeOf } from "./run-address.ts";

type Got = HandlerRequest<typeof openaiRoutes.getOpenaiResponse>;
type Cancelled = HandlerRequest<typeof openaiRoutes.cancelOpenaiResponse>;
type Removed = HandlerRequest<typeof openaiRoutes.removeOpenaiResponse>;
type Listed = HandlerRequest<typeof openaiRoutes.listOpenaiInputItems>;
type Named = Pick<Got, "principal"> & { readonly params: { readonly response_id: string } };

/**
 * The response as it is, or its events from the beginning or behind one of them on. A run that was continued has the events since
 * it was.
 *
 * @throws ServiceError NOT_FOUND for an id that is none of ours, and for another user's
 */
export async function getOpenaiResponse(request: Got, deps: McpDeps): Promise<ResponseObject | EventStream> {
  const run = await namedRun(request, deps, "read");
  const origin = deps.mcp.publicUrl ?? request.origin ?? "";
  const { stream, starting_after: after } = request.query;
  if (stream !== true) return responseOf(deps.db, run, origin);
  const component: Component = { kind: run.component_type, id: run.component_id };
  const frames = responseFrames({ component, origin, isQueued: run.queued, after }, deps);
  const { signal } = request;
  const { owner, session_id, run_id } = run;
  const followed = { signal, frames, body: { stream_events: true } };
  const before = await readBefore(deps.db, run);
  const at = { owner, session_id, run_id };
  return new EventStream(followFrames(followed, deps, at, beginningIn(before, run), before));
}

/** Index of the first event since the run was begun, or continued. */
function beginningIn({ events }: ReadBefore, run: StoredRun): number {
  const pauses = events.filter(({ event, run_id }) => run_id === run.run_id && event.endsWith("Paused"));
  const last = run.status === "PAUSED" ? pauses.at(-2) : pauses.at(-1);
  return last ? last.event_index + 1 : 0;
}

/** Cancels the run: one that waits at once, one that is executed at its next checkpoint. */
export async function cancelOpenaiResponse(request: Cancelled, deps: McpDeps): Promise<ResponseObject> {
  const { run_id, session_id, component_type, component_id } = await namedRun(request, deps, "run");
  const { principal, signal, invocation, headers } = request;
  const component: Component = { kind: component_type, id: component_id };
  const cancelled = { params: { run_id }, query: { session_id }, body: undefined as never };
  await cancelComponentRun({ ...{ component, principal, signal, invocation, headers }, ...cancelled }, deps);
  const run = await namedRun(request, deps, "read");
  return responseOf(deps.db, run, deps.mcp.publicUrl ?? request.origin ?? "");
}

/** What the run was asked, the newest first unless the query wants it otherwise. */
export async function listOpenaiInputItems(request: Listed, deps: McpDeps): Promise<InputItemsPage> {
  const { limit = 20, order = "desc", after } = request.query;
  const items = inputItemsOf(await namedRun(request, deps, "read"));
  const ordered = order === "desc" ? items.reverse() : items;
  const at = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0)
    throw new RefusedParameter("after", `after: no item has the id ${after}`, "invalid_value");
  const data = ordered.slice(at, at + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: at + data.length < ordered.length,
  };
}

/**
 * Removes the session that consists of this response. It is gone for every reader at once; the sweeper finds what belongs to it.
 *
 * @throws ServiceError CONFLICT for a response of a longer conversation: the others would answer to something that is not there
 */
export async function removeOpenaiResponse(request: Removed, deps: McpDeps): Promise<DeletedResponse> {
  const { db, clock } = deps;
  const { owner, session_id } = await namedRun(request, deps, "run");
  const runs = await listRuns(db, owner, session_id, epochSeconds(clock));
  const count = runs.filter((run) => !isNested(run)).length;
  if (count > 1) {
    const detail = `the conversation has ${count} responses; DELETE /sessions/${session_id} removes all of it`;
    throw new ServiceError("CONFLICT", detail);
  }
  await removeSessions(db, [session_id], ({ user_id }) => user_id === owner, epochSeconds(clock));
  return { id: request.params.response_id, object: "response", deleted: true };
}

async function namedRun(
  { params, principal }: Named,
  deps: McpDeps,
  action: "read" | "run",
): Promise<StoredRun> {
  const place = placeOf(RESPONSE, params.response_id);
  if (!place || ![place.session_id, place.run_id].every(fitsKey))
    throw notFound("response", params.response_id);
  requireScope({ principal, component: place.component }, action);
  return visibleRun(deps.db, callerOf(principal), place, epochSeconds(deps.clock));
}
