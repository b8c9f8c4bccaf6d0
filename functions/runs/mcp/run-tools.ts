import * as v from "valibot";
import { answersOf } from "../../../shared/agui/answers-of.ts";
import { callerOf } from "../../../shared/auth/caller.ts";
import { requireUse } from "../../../shared/auth/scopes/held-scopes.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { EventStream } from "../../../shared/http/handler.ts";
import { editedArguments } from "../../../shared/pauses/ask-call.ts";
import { openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import {
  type Component,
  cancelComponentRun,
  continueComponentRun,
  createComponentRun,
  type FramedRun,
  requireComponent,
  sendComponentMessage,
  visibleRun,
} from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { CreateRunForm } from "../../../shared/schemas/runs/run-forms.ts";
import { MAX_MESSAGE_ID_CHARS, type SentMessage } from "../../../shared/schemas/runs/run-message.ts";
import { SessionId } from "../../../shared/schemas/sessions/session-id.ts";
import { meaning } from "../../../shared/schemas/values/described-as.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { McpDeps, ToolCall } from "./mcp-deps.ts";
import { progressFrames } from "./progress-frames.ts";
import { type RunResult, runResult } from "./run-result.ts";

const text = v.pipe(v.string(), v.nonEmpty());

/** What every tool that begins a run takes. */
export const RunArguments = v.object({
  message: meaning(text, "What is asked; for an agent with an input schema JSON that fits it"),
  session_id: meaning(
    v.optional(v.pipe(SessionId, v.nonEmpty())),
    "The conversation; without it the run begins one",
  ),
  background: meaning(
    v.optional(v.boolean(), false),
    "Answer at once and go on without this call; get_run has the answer",
  ),
});
type RunArguments = v.InferOutput<typeof RunArguments>;

/** What names a run. */
export const NamedRun = v.object({
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: text,
  run_id: text,
  session_id: v.pipe(SessionId, v.nonEmpty()),
});
export type NamedRun = v.InferOutput<typeof NamedRun>;

export const MessageArguments = v.object({
  ...NamedRun.entries,
  message: meaning(text, "What is said"),
  message_id: meaning(
    v.optional(v.pipe(text, v.maxLength(MAX_MESSAGE_ID_CHARS))),
    "Id of the message: the same one again changes nothing",
  ),
  if_ended: meaning(
    v.optional(v.picklist(["run", "reject"]), "run"),
    "What becomes of it where the run has ended: a run of its own (run), or an error (reject)",
  ),
});

export const ContinueArguments = v.object({
  ...NamedRun.entries,
  answers: meaning(
    v.pipe(
      v.array(
        v.object({
          id: meaning(text, "id of an entry of waits_for"),
          answer: meaning(v.optional(v.unknown()), "What fits answer_schema of the entry"),
          refuse: meaning(
            v.optional(v.boolean(), false),
            "Refuses it; a question without a no cancels the run",
          ),
        }),
      ),
      v.minLength(1),
    ),
    "An answer for each entry of waits_for",
  ),
});

const asForm = { stream_events: true } as const;

/** Begins a run and answers with it as it ends or pauses; or as it was accepted, where it goes on in the background. */
export async function runComponent(
  component: Component,
  { message, session_id, background }: RunArguments,
  call: ToolCall,
  deps: McpDeps,
): Promise<RunResult> {
  requireUse(call.principal, component, "run");
  const body: CreateRunForm = {
    ...asForm,
    message,
    background,
    stream: !background,
    ...(session_id !== undefined && { session_id }),
  };
  const base = { ...requestOf(component, call), params: {}, body };
  if (background) return accepted(await createComponentRun(base, deps));
  return followed(call, deps, (frames) => createComponentRun({ ...base, frames }, deps));
}

export async function getRunOf(named: NamedRun, call: ToolCall, deps: McpDeps): Promise<RunResult> {
  requireUse(call.principal, componentOf(named), "read", "run");
  return runResult(await runNamed(named, call, deps));
}

/** Continues a paused run with answers, and answers with it as it ends or pauses again. */
export async function continueRunOf(
  { answers, ...named }: v.InferOutput<typeof ContinueArguments>,
  call: ToolCall,
  deps: McpDeps,
): Promise<RunResult> {
  const component = componentOf(named);
  requireUse(call.principal, component, "run");
  const run = await runNamed(named, call, deps);
  if (run.status !== "PAUSED")
    throw new ServiceError("CONFLICT", `run ${run.run_id} is ${run.status}; it waits for nothing`);
  const resume = answers.map(({ id, answer, refuse }) => ({
    interruptId: id,
    status: refuse ? ("cancelled" as const) : ("resolved" as const),
    payload: answer,
  }));
  const open = openInterrupts(run);
  if (!deps.mcp.confirms) await requirePerson(open, answers, call);
  const { fields } = answersOf(open, resume, []);
  if (!fields) return cancelRunOf(named, call, deps);
  const { run_id, session_id } = run;
  const stream = !run.queued;
  const base = {
    ...requestOf(component, call),
    params: { run_id },
    body: {
      ...fields,
      ...asForm,
      session_id,
      stream,
      background: run.queued,
      fork: false,
      regenerate: false,
    },
  };
  if (run.queued) return accepted(await continueComponentRun(base, deps));
  return followed(call, deps, (frames) => continueComponentRun({ ...base, frames }, deps));
}

/**
 * Refuses to confirm for a person: what calls this tool is a model, which may have asked for the call itself. A client that can
 * ask its user does so, for each call that waits. Saying no is allowed.
 *
 * @throws ServiceError UNAUTHORIZED
 */
async function requirePerson(
  open: ReturnType<typeof openInterrupts>,
  answers: v.InferOutput<typeof ContinueArguments>["answers"],
  { confirm }: Pick<ToolCall, "confirm">,
): Promise<void> {
  const confirmed = new Map(answers.filter(({ refuse }) => !refuse).map(({ id, answer }) => [id, answer]));
  for (const { interrupt, call } of open) {
    if (interrupt.reason !== "confirmation" || !confirmed.has(interrupt.id)) continue;
    if (!confirm) {
      const detail =
        "a person confirms this: in the console, in a chat or over HTTP, or asked by a client that can elicit; mcpConfirm=true allows it here";
      throw new ServiceError("UNAUTHORIZED", detail);
    }
    // What is carried out is what the client has made of it.
    const args = editedArguments(confirmed.get(interrupt.id)) ?? call?.args;
    const asked = call ? `${interrupt.message}\n${call.name} ${JSON.stringify(args)}` : interrupt.message;
    if (!(await confirm(asked))) {
      throw new ServiceError("UNAUTHORIZED", "the person who was asked has not confirmed this");
    }
  }
}

/** Says something to a run that has begun; to one that has ended as a run of its own, unless that is not wished. */
export async function sendMessageTo(
  { message, message_id, if_ended, ...named }: v.InferOutput<typeof MessageArguments>,
  call: ToolCall,
  deps: McpDeps,
): Promise<SentMessage> {
  const component = componentOf(named);
  requireUse(call.principal, component, "run");
  const { run_id, session_id } = named;
  const body = { message, message_id, if_ended, session_id, step_id: undefined };
  return sendComponentMessage({ ...requestOf(component, call), params: { run_id }, body }, deps);
}

/** Cancels a run: one that waits at once, one that is executed at its next checkpoint. */
export async function cancelRunOf(named: NamedRun, call: ToolCall, deps: McpDeps): Promise<RunResult> {
  const component = componentOf(named);
  requireUse(call.principal, component, "run");
  const { run_id, session_id } = named;
  await cancelComponentRun(
    { ...requestOf(component, call), params: { run_id }, query: { session_id }, body: undefined as never },
    deps,
  );
  return runResult(await runNamed(named, call, deps));
}

const componentOf = ({ component_type, component_id }: NamedRun): Component => ({
  kind: component_type,
  id: component_id,
});

const requestOf = (component: Component, { principal, signal, invocation, traceparent }: ToolCall) => ({
  component,
  principal,
  signal,
  invocation,
  headers: { ...(traceparent !== undefined && { traceparent }) },
  query: {},
});

/** A run that the caller may see and whose component it may run. @throws ServiceError NOT_FOUND, UNAUTHORIZED */
export async function ownRun(named: NamedRun, call: ToolCall, deps: McpDeps): Promise<StoredRun> {
  requireUse(call.principal, componentOf(named), "run");
  return runNamed(named, call, deps);
}

/** A run that the caller may see. @throws ServiceError NOT_FOUND for any other */
async function runNamed(named: NamedRun, { principal }: ToolCall, deps: McpDeps): Promise<StoredRun> {
  const component = componentOf(named);
  await requireComponent(deps, component);
  const { run_id, session_id } = named;
  return visibleRun(
    deps.db,
    callerOf(principal),
    { component, run_id, session_id },
    epochSeconds(deps.clock),
  );
}

/** What a run that was accepted by the queue is answered with. */
const Accepted = v.object({
  body: v.object({
    run_id: v.string(),
    session_id: v.string(),
    status: v.picklist(["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "ERROR"]),
  }),
});

const accepted = (answer: unknown): RunResult => ({
  ...v.parse(Accepted, answer).body,
  hint: "The run goes on in the background; call get_run for its answer.",
});

/** Waits for the end of a run that is streamed, and reads its record. */
async function followed(
  call: ToolCall,
  deps: McpDeps,
  begin: (frames: ReturnType<typeof progressFrames>) => Promise<unknown>,
): Promise<RunResult> {
  let begun: FramedRun | undefined;
  const answer = await begin(progressFrames(call.progress, (run) => (begun = run)));
  if (!(answer instanceof EventStream)) throw new Error("a run that is streamed was answered otherwise");
  for await (const _ of answer.chunks);
  const { run_id = "", session_id = "", owner } = begun ?? {};
  const run =
    owner === undefined
      ? undefined
      : await getRun(deps.db, { owner, session_id, run_id }, epochSeconds(deps.clock));
  // Only a request that was refused has no run: its input did not fit the schema of the agent.
  if (!run)
    throw new ServiceError("BAD_REQUEST", "the message does not fit the input schema of the component");
  return runResult(run);
}
