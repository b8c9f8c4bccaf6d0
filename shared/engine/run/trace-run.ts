import type { RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import type { Runnable } from "../define/runnable.ts";
import type { SpanAttributes, SpanEnd, TraceSpan } from "../ports/tracing.ts";
import type { Execution } from "./execution.ts";
import type { RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";

/** How an execution of any runnable ended. */
type Outcome =
  | {
      readonly status: "COMPLETED" | "CANCELLED" | "PAUSED";
      readonly output: Pick<RunOutput | WorkflowRunOutput, "content" | "metrics">;
    }
  | {
      readonly status: "ERROR";
      readonly output: Pick<RunOutput | WorkflowRunOutput, "metrics">;
      readonly error: string;
      readonly cause: string;
      /** More exactly by what; a workflow by what its step has failed by. */
      readonly error_type?: string | undefined;
    }
  | { readonly status: "YIELDED" };

/**
 * Executes a run within a span of its own. A run that pauses or yields leaves the span open.
 *
 * @param execute  gets the ports with that span, as the parent of the run's spans
 */
export async function traceRun<Ports extends { readonly span?: TraceSpan }, O extends Outcome>(
  runnable: Runnable,
  request: RunRequest,
  ports: Ports,
  execute: (ports: Ports) => Promise<O>,
): Promise<O> {
  if (!ports.span) return execute(ports);
  const span = ports.span.child({
    key: request.run_id,
    name: `${runnable.name.replaceAll(/[\s-]/g, "_")}.run`,
    kind: kinds[runnable.kind],
    input: request.input,
    facts: factsOf(runnable, request),
  });
  const outcome = await execute({ ...ports, span });
  const end = endOf(outcome, runnable);
  if (end) span.end(end);
  return outcome;
}

const kinds = { agent: "AGENT", team: "TEAM", workflow: "WORKFLOW" } as const;

function factsOf(runnable: Runnable, { run_id, session_id, user_id }: RunRequest): SpanAttributes {
  const { id, name, version } = runnable;
  const facts = {
    ...{ run_id, session_id, user_id, component_id: id, component_name: name },
    ...(version !== undefined && { component_version: version }),
  };
  if (runnable.kind !== "workflow")
    return "remote" in runnable && runnable.remote
      ? { ...facts, server_address: new URL(runnable.remote.card).hostname }
      : facts;
  const { description, steps } = runnable;
  return {
    ...facts,
    ...(description !== undefined && { description }),
    steps: steps.map((step) => step.name),
    step_types: steps.map(({ type }) => type),
  };
}

function endOf(outcome: Outcome, runnable: Runnable): SpanEnd | undefined {
  switch (outcome.status) {
    case "ERROR":
      return {
        error: outcome.error,
        error_type: outcome.error_type ?? outcome.cause,
        ...usageOf(outcome.output, runnable),
      };
    case "COMPLETED":
    case "CANCELLED": {
      const output = spanText(outcome.output.content);
      return { ...(output !== undefined && { output }), ...usageOf(outcome.output, runnable) };
    }
    default:
      return undefined;
  }
}

/** Of an agent and of a team; what a workflow used is on the spans of its members. */
function usageOf(
  { metrics }: Pick<RunOutput | WorkflowRunOutput, "metrics">,
  { kind }: Runnable,
): Pick<SpanEnd, "run_usage"> {
  if (kind === "workflow" || !metrics || !("input_tokens" in metrics)) return {};
  const { input_tokens = 0, output_tokens = 0 } = metrics;
  return { run_usage: { input_tokens, output_tokens } };
}

/**
 * Completes a tool call within a span, the parent of spans within the call. A call that stays pending leaves it open.
 *
 * @param state  the run's, for the position of the call: a repeated call may have another id
 */
export async function traceToolCall(
  call: ToolExecution,
  state: RunState,
  execution: Execution,
  complete: (execution: Execution) => Promise<ToolExecution>,
): Promise<ToolExecution> {
  const { ports } = execution;
  if (!ports.span) return complete(execution);
  const position = state.tools.findIndex(({ tool_call_id }) => tool_call_id === call.tool_call_id);
  const { tool_name, tool_call_id } = call;
  const parameters = JSON.stringify(call.tool_args);
  const description = execution.tools.find(({ name }) => name === tool_name)?.description;
  const span = ports.span.child({
    key: `tool:${position}`,
    name: tool_name,
    kind: "TOOL",
    input: parameters,
    facts: {
      ...{ tool_name, tool_call_id, parameters },
      ...(description !== undefined && { tool_description: description }),
    },
  });
  const completed = await complete({ ...execution, ports: { ...ports, span } });
  if (completed.result === null) return completed;
  if (completed.tool_call_error) span.end({ error: completed.result, error_type: "tool" });
  else span.end({ output: completed.result });
  return completed;
}

/** A value as a span shows it: text as it is, anything else as JSON; undefined when it is empty. */
export function spanText(value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
