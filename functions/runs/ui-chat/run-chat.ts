import { callerOf } from "../../../shared/auth/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { EventStream } from "../../../shared/http/handler.ts";
import {
  createComponentRun,
  findVisibleRun,
  type RunsDeps,
  requireComponent,
} from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { UiMessage } from "../../../shared/schemas/ui-chat/ui-message.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { conversationRuns } from "../conversation-runs.ts";
import { asStream, streamContinued } from "../stream-continued.ts";
import { answeredIn, type Given, givenIn, runsNamedIn } from "./chat-answers.ts";
import { questionIn } from "./chat-question.ts";
import { KEPT, messageIdOf } from "./run-metadata.ts";
import type { UiChatAsked } from "./ui-chat-request.ts";
import { UI_STREAM, uiFrames } from "./ui-frames.ts";

/**
 * A request of `useChat`. One message decides what happens:
 *
 *   the user's        a new run
 *   the assistant's   the paused run goes on whose questions it answers
 *   regenerate        the last run's question is asked again, and its answer replaced
 *
 * A run continues when its client leaves; `stop` of the chat cancels it.
 */
export async function runChat(request: UiChatAsked, deps: RunsDeps): Promise<EventStream> {
  const { body, component } = request;
  await requireComponent(deps, component);
  const message = readMessage(request);
  if (body.trigger === "regenerate-message") return regenerate(request, deps, message);
  if (message.role === "assistant") return goOn(request, deps, message);
  if (message.role === "system")
    throw new ServiceError("UNPROCESSABLE", "messages: the component has its own instructions");
  if (body.messageId)
    throw new ServiceError(
      "UNPROCESSABLE",
      "messageId: what was said before is kept as it is; only the last answer can be asked for again",
    );
  return start(request, deps, message);
}

/** The one message that is read. */
function readMessage({ body: { messages, messageId, trigger } }: UiChatAsked): UiMessage {
  const named = trigger === "submit-message" ? messages.findLast(({ id }) => id === messageId) : undefined;
  const message = named ?? messages.at(-1);
  if (!message) throw new ServiceError("UNPROCESSABLE", "messages: there is none");
  return message;
}

async function start(request: UiChatAsked, deps: RunsDeps, said: UiMessage): Promise<EventStream> {
  const { body, component, principal, signal, invocation, headers } = request;
  const { id: session_id, background } = body;
  // Workflows have no model of their own that could call them.
  const client_tools = component.kind === "workflow" ? [] : body.tools;
  const { traceparent } = headers;
  const answer = await createComponentRun(
    {
      ...{ component, principal, signal, invocation, params: {}, query: {} },
      headers: {
        ...(traceparent !== undefined && { traceparent }),
        // A background run is not started twice by a client that repeats its request.
        ...(background && { "idempotency-key": `ui-chat ${session_id} ${said.id}` }),
      },
      body: {
        ...questionIn(said),
        ...{ stream: true, stream_events: true, background, session_id },
        metadata: { [KEPT]: { message_id: said.id } },
      },
      ...(client_tools.length > 0 && { client_tools }),
      frames: uiFrames(principal, deps),
    },
    deps,
  );
  return withHeader(asStream(answer));
}

async function goOn(request: UiChatAsked, deps: RunsDeps, message: UiMessage): Promise<EventStream> {
  const { principal } = request;
  const given = givenIn(message);
  const run = await namedRun(request, deps, given);
  if (!run) throw new ServiceError("UNPROCESSABLE", "messages: the message answers nothing that a run asked");
  if (run.status !== "PAUSED")
    throw new ServiceError(
      "CONFLICT",
      `run ${run.run_id} is ${run.status}; what it waited for has been answered`,
    );
  const { fields, ...had } = answeredIn(run, given, message);
  const frames = uiFrames(principal, deps, had);
  const going = { ...{ run, frames, ...fields }, ...{ background: run.queued, regenerate: false } };
  return withHeader(await streamContinued(request, deps, going));
}

/** The newest run that a message answers something of, as its caller may see it. */
async function namedRun(
  { component, principal, body }: UiChatAsked,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
  given: Given,
): Promise<StoredRun | undefined> {
  const found: StoredRun[] = [];
  for (const run_id of runsNamedIn(given)) {
    const run = fitsKey(run_id)
      ? await findVisibleRun(
          db,
          callerOf(principal),
          { component, session_id: body.id, run_id },
          epochSeconds(clock),
        )
      : undefined;
    if (run?.status === "PAUSED") return run;
    if (run) found.push(run);
  }
  return found[0];
}

/** @throws ServiceError UNPROCESSABLE for an answer that is not the last one, and for a workflow's */
async function regenerate(request: UiChatAsked, deps: RunsDeps, message: UiMessage): Promise<EventStream> {
  const { body, component, principal } = request;
  const found = await conversationRuns({ principal, component, session_id: body.id }, deps);
  const runs = (found?.runs ?? []).filter(({ status }) => status !== "REGENERATED");
  const last = runs.at(-1);
  const named = body.messageId ?? message.id;
  const names = (run: StoredRun) => named === run.run_id || named === messageIdOf(run);
  if (!last || !names(last)) {
    // The run of a message that was refused never was.
    if (!runs.some(names) && message.role === "user") return start(request, deps, message);
    throw new ServiceError("UNPROCESSABLE", "messageId: only the last answer can be asked for again");
  }
  if (last.status === "ERROR" || last.status === "CANCELLED") return start(request, deps, message);
  if (component.kind === "workflow")
    throw new ServiceError("UNPROCESSABLE", "trigger: a workflow's answer cannot be asked for again");
  const again = { run: last, frames: uiFrames(principal, deps), background: false, regenerate: true };
  return withHeader(await streamContinued(request, deps, again));
}

/** As clients of this protocol know its streams. */
const withHeader = ({ chunks, headers }: EventStream): EventStream =>
  new EventStream(chunks, { ...headers, ...UI_STREAM });
