import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import type { EventStream, HandlerRequest } from "../../../shared/http/handler.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import { answerFields, openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import type { openaiRoutes } from "../../../shared/routes/protocols/openai.ts";
import {
  type Component,
  continueComponentRun,
  createComponentRun,
  findVisibleRun,
} from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import {
  echoedIn,
  type ResponseObject,
  type ResponseRequest,
} from "../../../shared/schemas/openai/response.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import { isNested, type StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { forkComponentSession } from "../fork-component-session.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import { acceptedRun } from "./accepted-run.ts";
import { CALL } from "./chat-end.ts";
import { chatInput, clientToolsOf, outputSchemaOf } from "./chat-input.ts";
import { type Begin, followedRun, streamedRun } from "./followed-run.ts";
import { componentOfModel } from "./model-names.ts";
import { keyIn, repeatedRun } from "./repeated-run.ts";
import { responseFrames } from "./response-frames.ts";
import { asChat, decisionsIn, newItems, outputsIn, readResponseRequest } from "./response-input.ts";
import { KEPT, RESPONSE, responseOf } from "./response-of.ts";
import { withReferences } from "./response-references.ts";
import { placeOf } from "./run-address.ts";

type Request = HandlerRequest<typeof openaiRoutes.createOpenaiResponse>;
type Asked = { readonly asked: ResponseRequest; readonly component: Component };

/**
 * A response is a run. Results of the client's functions and decisions continue the run that waits for them; anything else begins
 * one. In the background it is executed by the queue, and answered at once.
 */
export async function createOpenaiResponse(
  request: Request,
  deps: McpDeps,
): Promise<ResponseObject | EventStream> {
  const read = readResponseRequest(request.body);
  const component = await componentOfModel(deps, request.principal, read.model);
  const asked = await withReferences(read, component, request, deps);
  const of = { asked, component };
  const background = asked.background === true;
  const again = await repeatedRun({ component, background }, request, deps);
  const begin = again
    ? { isQueued: background, stream: again, accept: again }
    : await begun(of, request, deps);
  const origin = deps.mcp.publicUrl ?? request.origin ?? "";
  const { isQueued } = begin;
  if (asked.stream === true)
    return streamedRun(begin.stream, responseFrames({ component, origin, isQueued }, deps));
  const run = isQueued
    ? await acceptedRun(await begin.accept(), { component, principal: request.principal }, deps)
    : await followedRun(begin.stream, deps);
  return responseOf(deps.db, run, origin);
}

/** What begins a run, or continues one: streamed, or accepted by the queue where that executes it. */
type Begun = {
  readonly isQueued: boolean;
  readonly stream: Begin;
  readonly accept: () => Promise<unknown>;
};

async function begun(of: Asked, request: Request, deps: McpDeps): Promise<Begun> {
  const previous = await previousRun(of, request, deps);
  return isAnswer(of.asked)
    ? goOn(await answeredRun(of, previous, request, deps), of, request, deps)
    : start(of, previous, request, deps);
}

const isAnswer = (asked: ResponseRequest): boolean => {
  const items = newItems(asked);
  return outputsIn(items).size > 0 || decisionsIn(items).size > 0;
};

/** The run of the response that a request names as the one before. */
async function previousRun(
  { asked, component }: Asked,
  { principal }: Request,
  { db, clock }: McpDeps,
): Promise<StoredRun | undefined> {
  const { previous_response_id: id } = asked;
  if (!id) return undefined;
  const place = placeOf(RESPONSE, id);
  const found =
    place && [place.session_id, place.run_id].every(fitsKey)
      ? await findVisibleRun(db, callerOf(principal), place, epochSeconds(clock))
      : undefined;
  if (!found) throw notFound("response", id);
  if (found.component_type === component.kind && found.component_id === component.id) return found;
  throw new RefusedParameter(
    "model",
    "model: the previous response is of another component",
    "invalid_value",
  );
}

async function start(
  { asked, component }: Asked,
  previous: StoredRun | undefined,
  request: Request,
  deps: McpDeps,
): Promise<Begun> {
  const { principal, signal, invocation, headers } = request;
  const chat = asChat(asked);
  const { message, media, given_history } = chatInput(chat);
  if (previous) refuseUnanswered(previous);
  const session_id = await sessionOf({ asked, component }, previous, request, deps);
  // A conversation that is known has its history in its session.
  const { instructions, messages } = given_history;
  const given =
    session_id === undefined && messages.length > 0 ? given_history : instructions && { instructions };
  const client_tools = component.kind === "workflow" ? [] : clientToolsOf(chat);
  const output_schema = outputSchemaOf(chat);
  const isQueued = asked.background === true;
  const runWith = (stream: boolean) => ({
    ...{ component, principal, signal, invocation, params: {}, query: {} },
    ...(given && { given_history: given }),
    ...(client_tools.length > 0 && { client_tools }),
    headers: keyIn(headers),
    isKeyUnused: true,
    body: {
      message,
      ...media,
      ...{ stream, stream_events: true, background: isQueued },
      ...(session_id !== undefined && { session_id }),
      ...(output_schema && { output_schema }),
      metadata: {
        ...asked.metadata,
        [KEPT]: { ...echoedIn(asked), previous_response_id: asked.previous_response_id ?? null },
      },
    },
  });
  return {
    isQueued,
    stream: (frames) => createComponentRun({ ...runWith(true), frames }, deps),
    accept: () => createComponentRun(runWith(false), deps),
  };
}

/** The session of a conversation that is named; of an older response a copy up to it. */
async function sessionOf(
  { asked, component }: Asked,
  previous: StoredRun | undefined,
  request: Request,
  deps: McpDeps,
): Promise<string | undefined> {
  const { conversation } = asked;
  const named = typeof conversation === "string" ? conversation : conversation?.id;
  if (named !== undefined) {
    if (fitsKey(named)) return named;
    throw new RefusedParameter("conversation", "conversation: no session can have this id", "invalid_value");
  }
  if (!previous) return undefined;
  const { owner, session_id, run_id } = previous;
  const runs = await listRuns(deps.db, owner, session_id, epochSeconds(deps.clock));
  const last = runs.filter((run) => !isNested(run)).at(-1);
  if (last?.run_id === run_id) return session_id;
  const { principal, signal, invocation, headers } = request;
  const forked = await forkComponentSession(
    {
      ...{ component, principal, signal, invocation, headers, query: {} },
      params: { session_id },
      body: undefined,
      through: run_id,
    },
    deps,
  );
  return forked.session_id;
}

/** @throws RefusedParameter where the run waits for what only this client can give */
function refuseUnanswered(run: StoredRun): void {
  if (run.status !== "PAUSED") return;
  for (const { call, isClientTool, interrupt } of openInterrupts(run)) {
    if (!isClientTool && interrupt.reason !== "confirmation") continue;
    const wanted = isClientTool ? "function_call_output" : "mcp_approval_response";
    throw new RefusedParameter(
      "input",
      `input: the call of ${call?.name} waits for its ${wanted}`,
      "missing_output",
    );
  }
}

/** The paused run whose questions a request answers. */
async function answeredRun(
  { asked, component }: Asked,
  previous: StoredRun | undefined,
  { principal }: Request,
  { db, clock }: McpDeps,
): Promise<StoredRun> {
  const [call_id = ""] = outputsIn(newItems(asked)).keys();
  const place = placeOf(CALL, call_id);
  const isOwn = place && place.component.kind === component.kind && place.component.id === component.id;
  const called =
    isOwn && [place.session_id, place.run_id].every(fitsKey)
      ? await findVisibleRun(db, callerOf(principal), place, epochSeconds(clock))
      : undefined;
  const run = previous ?? called;
  if (run?.status === "PAUSED") return run;
  throw new RefusedParameter("input", "input: no run waits for what this answers", "invalid_value");
}

/** @throws RefusedParameter for an answer to nothing, and where a question has no answer */
async function goOn(
  run: StoredRun,
  { asked, component }: Asked,
  request: Request,
  deps: McpDeps,
): Promise<Begun> {
  const { principal, signal, invocation, headers } = request;
  const { run_id, session_id } = run;
  const items = newItems(asked);
  const outputs = new Map(
    [...outputsIn(items)].map(([id, text]) => [placeOf(CALL, id)?.call_id ?? id, text]),
  );
  const given = new Map<string, unknown>([...outputs, ...decisionsIn(items)]);
  const answers = openInterrupts(run).flatMap(({ interrupt, call, isClientTool, answer }) => {
    const id = isClientTool ? (call?.id ?? "") : interrupt.id;
    const answered = given.has(id) ? answer(given.get(id)) : undefined;
    given.delete(id);
    return answered ? [answered] : [];
  });
  const [unknown] = given.keys();
  if (unknown !== undefined)
    throw new RefusedParameter("input", `input: the run does not wait for ${unknown}`, "invalid_value");
  if (answers.length < openInterrupts(run).length) refuseUnanswered(run);
  // What began in the queue continues there, whether its client waits or not.
  const isQueued = run.queued;
  const asForm = {
    ...answerFields(answers),
    ...{ stream_events: true, background: isQueued, fork: false, regenerate: false, session_id },
  };
  const base = {
    ...{ component, principal, signal, invocation, headers: keyIn(headers), query: {}, params: { run_id } },
    isKeyUnused: true,
  };
  return {
    isQueued,
    stream: (frames) => continueComponentRun({ ...base, body: { ...asForm, stream: true }, frames }, deps),
    accept: () => continueComponentRun({ ...base, body: { ...asForm, stream: false } }, deps),
  };
}
