import { describeForeignError } from "../../runtime/describe-error.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { untilStopped } from "../abort/until-stopped.ts";
import type { StateView } from "../ports/session-state.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import { authorOf } from "../run/author-of.ts";
import type { Execution } from "../run/execution.ts";
import { runContextOf } from "../run/run-context-of.ts";
import { traceSearch } from "../trace/trace-search.ts";
import type { ToolCallPlan } from "../turn/plan-tool-call.ts";
import type { Batch } from "./batch.ts";
import { guardedUpdate, secretsFor, toolLog, withoutSecrets } from "./guarded-context.ts";
import { rememberForTool } from "./remember-for-tool.ts";
import { toolAnswerOf } from "./tool-answer-of.ts";

/** How a tool's code ended. */
export type ToolCallOutcome =
  | { readonly ended: "answered"; readonly answer: ToolAnswer }
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
  const timeout = startTimeout(plan.tool.timeout_seconds, execution);
  try {
    const value = await untilStopped(
      execute(plan, call, { batch, execution, state, signal: timeout.signal }),
      timeout.signal,
    );
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
  readonly signal: AbortSignal;
};

async function execute(
  { tool, args }: Extract<ToolCallPlan, { runs: true }>,
  { tool_call_id }: ToolExecution,
  { batch, execution, state, signal }: Calling,
): Promise<unknown> {
  if (!tool.execute) throw new Error(`${tool.name} is not executed here.`);
  const { request, ports } = execution;
  const secrets = await secretsFor(tool, ports);
  const searchKnowledge = traceSearch(ports.searchKnowledge ?? noKnowledge, ports.span);
  const ids = { run_id: request.run_id, tool_name: tool.name, tool_call_id };
  return tool.execute(args, {
    ...runContextOf(execution),
    session_state: state.current(),
    tool_call_id,
    idempotency_key: `${request.run_id}:${tool_call_id}`,
    signal,
    secrets,
    log: toolLog(ids, ports),
    updateSessionState: guardedUpdate(state.update, ports),
    readChatHistory: ports.readChatHistory ?? (async () => []),
    searchKnowledge: (question) =>
      searchKnowledge({ ...withoutSecrets(question, ports), user_id: request.user_id }),
    remember: (said) => rememberForTool(withoutSecrets(said, ports), tool_call_id, batch, execution),
    ...(ports.learnings && { learnings: ports.learnings(authorOf(execution.agent)) }),
  });
}

const noKnowledge = async (): Promise<never> => {
  throw new Error("Knowledge cannot be searched here.");
};

/** Starts a tool's timeout. The signal aborts with the run's own, and when the timeout is over. */
function startTimeout(seconds: number | undefined, { ports }: Execution) {
  if (seconds === undefined) return { signal: ports.signal, end: () => undefined };
  const expired = new AbortController();
  const ended = new AbortController();
  ports.clock.sleep(seconds * 1000, ended.signal).then(
    () => expired.abort(new Error(`The tool did not answer within ${seconds} seconds.`)),
    () => undefined, // it ended in time
  );
  return { signal: AbortSignal.any([ports.signal, expired.signal]), end: () => ended.abort() };
}
