import { createHash } from "node:crypto";
import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
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
import type {
  ChatCompletion,
  ChatMessage,
  ChatRequest,
} from "../../../shared/schemas/openai/chat-completion.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import { CALL, COMPLETION, chatEnd } from "./chat-end.ts";
import { chatFrames } from "./chat-frames.ts";
import {
  chatInput,
  clientToolsOf,
  firstQuestion,
  newResults,
  outputSchemaOf,
  readChatRequest,
  textOf,
} from "./chat-input.ts";
import { type Begin, type Frames, followedRun, streamedRun } from "./followed-run.ts";
import { componentOfModel, modelName } from "./model-names.ts";
import { keyIn, repeatedRun } from "./repeated-run.ts";
import { addressOf, placeOf } from "./run-address.ts";

type Request = HandlerRequest<typeof openaiRoutes.createChatCompletion>;
type Asked = { readonly chat: ChatRequest; readonly component: Component };

/**
 * A chat completion is a run. Results of the client's own tools continue the run that waits for them; anything else begins one,
 * whose model sees the client's list. A run goes on when its client leaves.
 */
export async function createChatCompletion(
  request: Request,
  deps: McpDeps,
): Promise<EventStream | ChatCompletion> {
  const chat = readChatRequest(request.body);
  const component = await componentOfModel(deps, request.principal, chat.model);
  const asked = { chat, component };
  const again = await repeatedRun({ component, background: false }, request, deps);
  const begin = again ?? (await begun(asked, request, deps));
  const origin = deps.mcp.publicUrl ?? request.origin ?? "";
  if (chat.stream !== true) return whole(await followedRun(begin, deps), asked, origin);
  const includesUsage = chat.stream_options?.include_usage === true;
  return streamedRun(begin, chatFrames({ component, model: chat.model, origin, includesUsage }, deps));
}

async function begun(asked: Asked, request: Request, deps: McpDeps): Promise<Begin> {
  const waiting = await waitingRun(asked, request.principal, deps);
  return (frames) =>
    waiting ? goOn(waiting, asked, request, deps, frames) : start(asked, request, deps, frames);
}

function start({ chat, component }: Asked, request: Request, deps: McpDeps, frames: Frames) {
  const { principal, signal, invocation, headers } = request;
  const { message, media, given_history } = chatInput(chat);
  // Workflows have no model of their own that could call them.
  const client_tools = component.kind === "workflow" ? [] : clientToolsOf(chat);
  const output_schema = outputSchemaOf(chat);
  const { traceparent } = headers;
  return createComponentRun(
    {
      ...{ component, principal, signal, invocation, params: {}, query: {}, given_history, frames },
      headers: { ...keyIn(headers), ...(traceparent !== undefined && { traceparent }) },
      isKeyUnused: true,
      body: {
        message,
        ...media,
        ...{ stream: true, stream_events: true, background: false },
        session_id: sessionOf(chat, component, request),
        ...(output_schema && { output_schema }),
        ...(chat.metadata && { metadata: chat.metadata }),
      },
      ...(client_tools.length > 0 && { client_tools }),
    },
    deps,
  );
}

/** The session that a client names, else one that follows from the caller, the model, and how the conversation began. */
function sessionOf(chat: ChatRequest, component: Component, { headers, principal }: Request): string {
  const named = headers["x-session-id"] ?? chat.metadata?.session_id;
  if (named === undefined) {
    const { kind, user_id } = principal;
    const begun = JSON.stringify([kind, user_id, modelName(component), firstQuestion(chat)]);
    return `chat-${createHash("sha256").update(begun).digest("hex").slice(0, 32)}`;
  }
  if (typeof named === "string" && named !== "" && fitsKey(named)) return named;
  const param = headers["x-session-id"] === undefined ? "metadata.session_id" : "X-Session-Id";
  throw new RefusedParameter(param, `${param} is no id that a session can have`, "invalid_value");
}

type Waiting = { readonly run: StoredRun; readonly results: readonly ChatMessage[] };

/** The paused run whose calls a request answers; undefined where no run waits for any of its results. */
async function waitingRun(
  { chat, component }: Asked,
  principal: Principal,
  { db, clock }: McpDeps,
): Promise<Waiting | undefined> {
  const results = newResults(chat.messages);
  const place = results.map(({ tool_call_id }) => placeOf(CALL, tool_call_id ?? "")).find((one) => one);
  if (!place || place.component.kind !== component.kind || place.component.id !== component.id)
    return undefined;
  if (![place.session_id, place.run_id].every(fitsKey)) return undefined;
  const run = await findVisibleRun(db, callerOf(principal), place, epochSeconds(clock));
  return run?.status === "PAUSED" ? { run, results } : undefined;
}

/** @throws RefusedParameter where a call that the run waits for has no result */
function goOn(
  { run, results }: Waiting,
  { component }: Asked,
  request: Request,
  deps: McpDeps,
  frames: Frames,
) {
  const { principal, signal, invocation, headers } = request;
  const { run_id, session_id } = run;
  const given = new Map(
    results.map((message) => [placeOf(CALL, message.tool_call_id ?? "")?.call_id, textOf(message)]),
  );
  const answers = openInterrupts(run)
    .filter(({ isClientTool }) => isClientTool)
    .map(({ call, answer }) => {
      const text = given.get(call?.id);
      const answered = text === undefined ? undefined : answer(text);
      if (answered) return answered;
      throw new RefusedParameter(
        "messages",
        `messages: a message of the tool ${call?.name} must answer its call`,
        "invalid_value",
      );
    });
  return continueComponentRun(
    {
      ...{ component, principal, signal, invocation, headers, query: {}, params: { run_id }, frames },
      isKeyUnused: true,
      body: {
        ...answerFields(answers),
        ...{ stream: true, stream_events: true, background: run.queued, fork: false, regenerate: false },
        session_id,
      },
    },
    deps,
  );
}

/** The answer to a client that waits. */
function whole(run: StoredRun, { chat, component }: Asked, origin: string): ChatCompletion {
  const { rest, calls, finish_reason, usage } = chatEnd(run, component, "", origin);
  const { run_id, session_id } = run;
  return {
    id: addressOf(COMPLETION, { component, session_id, run_id }),
    object: "chat.completion",
    created: run.output.created_at,
    model: chat.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: rest === "" && calls.length > 0 ? null : rest,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: [...calls] }),
        },
        finish_reason,
      },
    ],
    usage,
  };
}
