import * as v from "valibot";
import { answersOf } from "../../../shared/agui/answers-of.ts";
import { dependenciesOf, newMessages, stateOf, userInput } from "../../../shared/agui/input-of.ts";
import { cancelRun } from "../../../shared/engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../../../shared/engine/lifecycle/wake-waiting.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { EventStream, type HandlerRequest } from "../../../shared/http/handler.ts";
import { InvalidInput } from "../../../shared/http/input/invalid-input.ts";
import { validationErrors } from "../../../shared/http/input/validation-errors.ts";
import { openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import type { aguiRoutes } from "../../../shared/routes/protocols/agui.ts";
import {
  createComponentRun,
  followFrames,
  framed,
  type RunsDeps,
  requireComponent,
  requireScope,
} from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { RunAgentInput as Input, type RunAgentInput } from "../../../shared/schemas/agui/run-agent-input.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";
import { cancelledEvent, eventSource } from "../../../shared/stores/runs/event-base.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { asStream, streamContinued } from "../stream-continued.ts";
import { aguiFramesOf, nothingSeen } from "./agui-frames.ts";
import type { AguiRequest } from "./agui-request.ts";
import { findFollowed } from "./find-followed.ts";
import { findWaiting } from "./find-waiting.ts";
import { newQuestion, saidAs } from "./new-question.ts";
import { showThread } from "./show-thread.ts";

/**
 * A request of AG-UI. What is new in it decides what happens:
 *
 *   forwardedProps.follow                     a run of the thread is streamed again
 *   resume, or results that a run waits for   the paused run goes on
 *   messages of the user                      a new run; with forwardedProps.steer said to a live run of the thread
 *   nothing                                   the thread is shown
 *
 * A run continues when its client leaves, as on the run routes: AWS does not notify the function. It is cancelled by its run_id,
 * which RUN_STARTED carries, on the run routes.
 */
export async function runComponentAgui(request: AguiRequest, deps: RunsDeps): Promise<EventStream> {
  const { body: input, component } = request;
  await requireComponent(deps, component);
  const { follow } = input.forwardedProps ?? {};
  if (follow !== undefined) return followAgui(request, deps, follow);
  const { users, results } = newMessages(input.messages);
  const waiting = await findWaiting(request, deps, results);
  if (waiting) return continueAgui(request, deps, waiting);
  return users.length > 0 ? startAgui(request, deps) : showThread(request, deps);
}

/** The same for the component that the deployment names. */
export async function runAgui(
  request: HandlerRequest<typeof aguiRoutes.runAgui>,
  deps: RunsDeps,
): Promise<EventStream> {
  const component = deps.aguiComponent;
  if (!component)
    throw new ServiceError("NOT_FOUND", "no component answers AG-UI here; name one in the path");
  requireScope({ principal: request.principal, component }, "run");
  return runComponentAgui({ ...request, component, params: {}, body: readInput(request.body) }, deps);
}

/** @throws InvalidInput as for the routes that name a component */
function readInput(text: string): RunAgentInput {
  const value = parsedJson(text);
  if (value === undefined) {
    throw new InvalidInput([{ type: "json_invalid", loc: ["body", 0], msg: "JSON decode error", input: {} }]);
  }
  const parsed = v.safeParse(Input, value);
  if (parsed.success) return parsed.output;
  throw new InvalidInput(parsed.issues.flatMap((issue) => validationErrors("body", issue)));
}

async function startAgui(request: AguiRequest, deps: RunsDeps): Promise<EventStream> {
  const { body: input, component, principal, signal, invocation, headers } = request;
  const { background = false, steer = false } = input.forwardedProps ?? {};
  const { asked, ignored } = await newQuestion(request, deps);
  const dependencies = dependenciesOf(input);
  const session_state = stateOf(input);
  const { message, ...media } = userInput(asked);
  if (message === "" && Object.keys(media).length === 0)
    throw new ServiceError("UNPROCESSABLE", "messages: the user's new message is empty");
  // Workflows have no model of their own that could call them.
  const client_tools = component.kind === "workflow" ? [] : (input.tools ?? []);
  const answer = await createComponentRun(
    {
      ...{ component, principal, signal, invocation, params: {}, query: {} },
      // A background run is not started twice by a client that repeats its request.
      headers: background || steer ? { ...headers, "idempotency-key": keyOf(input, asked) } : {},
      body: {
        message,
        ...media,
        ...{ stream: true, stream_events: true, background },
        session_id: input.threadId,
        ...(steer && { session_policy: "steer" }),
        ...(session_state && { session_state }),
        ...(dependencies && { dependencies }),
        metadata: { agui: { ...named(input), message_ids: asked.map(({ id }) => id) } },
      },
      ...(client_tools.length > 0 && { client_tools }),
      frames: aguiFramesOf(input, deps, nothingSeen, { ignored }),
    },
    deps,
  );
  return asStream(answer);
}

/** Under what a request is known, and as a message to a run: that one is known by the client's own id of it. */
const keyOf = (
  { threadId, runId, forwardedProps }: RunAgentInput,
  asked: readonly { id: string }[],
): string =>
  forwardedProps?.steer ? saidAs(threadId, asked.at(-1)?.id ?? runId) : `agui ${threadId} ${runId}`;

/** By what names its client knows the run. */
function named({ runId, parentRunId, forwardedProps }: RunAgentInput): Record<string, unknown> {
  const { background: _b, follow: _f, steer: _s, ...forwarded } = forwardedProps ?? {};
  return {
    run_id: runId,
    ...(parentRunId && { parent_run_id: parentRunId }),
    ...(Object.keys(forwarded).length > 0 && { forwarded_props: forwarded }),
  };
}

async function continueAgui(request: AguiRequest, deps: RunsDeps, run: StoredRun): Promise<EventStream> {
  const { body: input } = request;
  const open = openInterrupts(run);
  const { results } = newMessages(input.messages);
  const { fields, calls } = answersOf(open, input.resume ?? [], results);
  const shownCalls = new Set(open.flatMap(({ call }) => call?.id ?? []));
  const frames = aguiFramesOf(input, deps, { shownCalls, answeredCalls: calls });
  if (!fields) return cancelPaused(run, deps, frames);
  return streamContinued(request, deps, {
    ...{ run, frames, ...fields },
    ...{ background: run.queued, regenerate: false },
  });
}

async function cancelPaused(
  run: StoredRun,
  deps: RunsDeps,
  frames: ReturnType<typeof aguiFramesOf>,
): Promise<EventStream> {
  const now = epochSeconds(deps.clock);
  await wakeSession(deps, await cancelRun(deps.db, run, now, deps.settings.JOB_RETENTION_SECONDS));
  const event = cancelledEvent(eventSource(run), now, "what it waited for was abandoned");
  return new EventStream(framed(frames(run), event));
}

async function followAgui(request: AguiRequest, deps: RunsDeps, follow: string): Promise<EventStream> {
  const { body: input, signal } = request;
  const found = await findFollowed(request, deps, follow);
  if (!found) throw notFound("run", follow);
  const { run, before } = found;
  const frames = aguiFramesOf(input, deps, nothingSeen, { before });
  return new EventStream(followFrames({ signal, body: { stream_events: true }, frames }, deps, run));
}
