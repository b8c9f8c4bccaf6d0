import type { StateChanges } from "../../domain/sessions/session-state.ts";
import { after } from "../../runtime/clock.ts";
import { describeForeignError } from "../../runtime/describe-error.ts";
import { untilStopped } from "../../runtime/promises.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { KnowledgeQuestion, LedgerEntry, ToolAnswer, ToolLedger } from "../ports/engine-ports.ts";
import type { StateView } from "../ports/session-state.ts";
import {
  authorOf,
  type Execution,
  guardedUpdate,
  runContextOf,
  secretsFor,
  toolLog,
  withoutSecrets,
} from "../run/execution.ts";
import { madeMedia, saveMedia } from "../run/run-media.ts";
import type { RunState } from "../run/run-state.ts";
import { type CallWait, isCallWait } from "../tool/elsewhere.ts";
import { isResultWithMedia, type Tool } from "../tool/tool.ts";
import type { Batch } from "./batch.ts";
import { elsewhereOf } from "./call-elsewhere.ts";
import { extractMemories } from "./extract-memories.ts";
import type { ToolCallPlan } from "./record-turn.ts";

/** How a tool's code ended. */
export type ToolCallOutcome =
  | { readonly ended: "answered"; readonly answer: ToolAnswer }
  /** It is not over: it waits for a person, or for another process. */
  | { readonly ended: "waits"; readonly wait: CallWait }
  /** The run was stopped during the call. */
  | { readonly ended: "stopped" }
  /** Its timeout was over; it may still be at work. */
  | { readonly ended: "timed_out"; readonly answer: ToolAnswer };

/** Runs a tool's code, with the session's state as the call sees it. A tool's failure is an answer like any other: the model reads it and continues. */
export async function callTool(
  plan: Extract<ToolCallPlan, { runs: true }>,
  call: ToolExecution,
  batch: Batch,
  execution: Execution,
  state: StateView,
): Promise<ToolCallOutcome> {
  const { signal } = execution.ports;
  if (signal.aborted) return { ended: "stopped" };
  const timeout = startTimeout(
    plan.tool.timeout_seconds ?? execution.ports.toolLimits?.timeout_seconds,
    execution,
  );
  try {
    const value = await untilStopped(
      execute(plan, call, { batch, execution, state, timeout }),
      timeout.signal,
    );
    if (isCallWait(value)) return { ended: "waits", wait: value };
    const answer = await untilStopped(toolAnswerOf(value, batch.state(), execution), signal);
    return { ended: "answered", answer: withoutSecrets(answer, execution.ports) };
  } catch (error) {
    if (signal.aborted) return { ended: "stopped" };
    const fields = { run_id: execution.request.run_id, tool_name: plan.tool.name };
    execution.ports.warn?.("a tool failed", { ...fields, ...describeForeignError(error) });
    const text = error instanceof Error ? error.message : String(error);
    const answer = { text: withoutSecrets(text, execution.ports), failed: true };
    return { ended: timeout.signal.aborted ? "timed_out" : "answered", answer };
  } finally {
    timeout.end();
  }
}

type Calling = {
  readonly batch: Batch;
  readonly execution: Execution;
  readonly state: StateView;
  readonly timeout: ReturnType<typeof startTimeout>;
};

async function execute(
  { tool, args }: Extract<ToolCallPlan, { runs: true }>,
  call: ToolExecution,
  { batch, execution, state, timeout }: Calling,
): Promise<unknown> {
  if (!tool.execute) throw new Error(`${tool.name} is not executed here.`);
  const { request, ports } = execution;
  const { tool_call_id } = call;
  const elsewhere = await elsewhereOf(call, batch, execution, timeout.end);
  const secrets = await secretsFor(tool, ports);
  const searchKnowledge = ports.searchKnowledge ?? noKnowledge;
  const ids = { run_id: request.run_id, tool_name: tool.name, tool_call_id };
  const context = {
    ...runContextOf(execution),
    session_state: state.current(),
    tool_call_id,
    idempotency_key: `${request.run_id}:${tool_call_id}`,
    ...(ports.span?.traceparent !== undefined && { traceparent: ports.span.traceparent }),
    signal: timeout.signal,
    secrets,
    log: toolLog(ids, ports),
    updateSessionState: guardedUpdate(state.update, ports),
    readChatHistory: ports.readChatHistory ?? (async () => []),
    searchKnowledge: (question: Omit<KnowledgeQuestion, "user_id">) =>
      searchKnowledge({ ...withoutSecrets(question, ports), user_id: request.user_id }, ports.span),
    remember: (said: string) => rememberForTool(withoutSecrets(said, ports), tool_call_id, batch, execution),
    ...(ports.learnings && { learnings: ports.learnings(authorOf(execution.agent)) }),
  };
  return tool.execute(args, context, elsewhere);
}

const noKnowledge = async (): Promise<never> => {
  throw new Error("Knowledge cannot be searched here.");
};

/** Starts a tool's timeout. The signal aborts with the run's own, and when the timeout is over. */
function startTimeout(seconds: number | undefined, { ports }: Execution) {
  if (seconds === undefined) return { signal: ports.signal, end: () => undefined };
  const expired = new AbortController();
  const end = after(ports.clock, seconds * 1000, () =>
    expired.abort(new Error(`The tool did not answer within ${seconds} seconds.`)),
  );
  return { signal: AbortSignal.any([ports.signal, expired.signal]), end };
}

/** A tool's result as the model sees it and the run stores it: text or JSON, with its files. @throws as `saveMedia` */
async function toolAnswerOf(value: unknown, state: RunState, { ports }: Execution): Promise<ToolAnswer> {
  if (!isResultWithMedia(value)) return { text: resultText(value), failed: false };
  const { text, media } = value;
  return { text, failed: false, media: await saveMedia(media, madeMedia(state), ports) };
}

const resultText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

/** Whether a tool call may be made now. `starts` counts this one. */
export type Admission =
  | { readonly may: "run"; readonly starts: number }
  /** It ended before, with this answer, and with these changes of the session's state. */
  | { readonly may: "reuse"; readonly answer: ToolAnswer; readonly changes?: StateChanges | undefined }
  /** It may have been made before: a person has to decide. */
  | { readonly may: "ask"; readonly starts: number };

/**
 * Checks the ledger before a call is made.
 *
 *   effect   not on record   ended            started, no end
 *   safe     run             (never entered)
 *   keyed    run             reuse its answer   run, under the same key
 *   once     run             reuse its answer   ask; run once more for each time a person confirms
 *
 * A person's confirmation counts for the start that was in doubt (`in_doubt`), not for a later one.
 */
export async function admitCall(
  call: Pick<ToolExecution, "in_doubt" | "confirmed">,
  key: string,
  effect: Tool["effect"],
  ledger: ToolLedger | undefined,
): Promise<Admission> {
  if (effect === "safe" || !ledger) return { may: "run", starts: 1 };
  const first = await ledger.start(key);
  if (first.state !== "open") return admission(first, 1);
  if (effect === "keyed") return { may: "run", starts: first.starts };
  if (call.in_doubt !== first.starts || call.confirmed !== true) return { may: "ask", starts: first.starts };
  return admission(await ledger.startAgain(key, first.starts), first.starts + 1);
}

function admission(entry: LedgerEntry, starts: number): Admission {
  switch (entry.state) {
    case "started":
      return { may: "run", starts };
    case "ended":
      return { may: "reuse", answer: entry.answer, changes: entry.changes };
    case "open":
      return { may: "ask", starts: entry.starts };
  }
}

/**
 * The answer to a call that needs no execution here, because a person or a client executed it, answered in its place,
 * or refused it.
 *
 * @returns undefined for a call that is to run
 * @source  docs/interface/runs.md 7.2
 */
export function answerByPerson(call: ToolExecution): ToolAnswer | undefined {
  if (call.result !== null) return { text: call.result, failed: call.tool_call_error === true };
  if (call.confirmed === false) return call.in_doubt === undefined ? refusal(call) : resultFromNote(call);
  if (call.user_feedback_schema && call.answered)
    return { text: feedback(call.user_feedback_schema), failed: false };
  return undefined;
}

function refusal({ confirmation_note: note, remote_call: remote }: ToolExecution): ToolAnswer {
  const what = remote ? `to answer what ${remote.server} asks` : "this call";
  return {
    text: note ? `A person refused ${what}: ${note}` : `A person refused ${what}; it was not executed.`,
    failed: true,
  };
}

/** A person who refuses a second start may know how the first one ended, and write it as a note. */
const resultFromNote = ({ confirmation_note: note }: ToolExecution): ToolAnswer =>
  note
    ? { text: note, failed: false }
    : { text: "It is not known whether this call happened; it was not repeated.", failed: true };

const feedback = (questions: NonNullable<ToolExecution["user_feedback_schema"]>): string =>
  JSON.stringify(questions.map(({ question, selected_options }) => ({ question, selected_options })));

/**
 * Saves memories on behalf of a tool. The model's usage for it counts as the run's own.
 *
 * @returns the texts of the saved memories
 * @throws  Error when nothing could be saved, with a text for the model
 */
async function rememberForTool(
  said: string,
  tool_call_id: string,
  batch: Batch,
  execution: Execution,
): Promise<string[]> {
  const { memories, usage, by } = await extractMemories(said, tool_call_id, batch.state(), execution);
  batch.addUsage(usage, by?.spec);
  if (!memories) throw new Error("Nothing could be remembered just now.");
  return memories.map(({ memory }) => memory);
}
