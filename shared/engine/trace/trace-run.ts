import type { RunOutput } from "../../schemas/runs/run.ts";
import type { WorkflowRunOutput } from "../../schemas/runs/workflow-run.ts";
import type { Runnable } from "../define/runnable.ts";
import type { SpanAttributes, SpanEnd, TraceSpan } from "../ports/trace-span.ts";
import type { RunRequest } from "../run/run-request.ts";
import { spanText } from "./span-text.ts";

/** How an execution of any runnable ended. */
type Outcome =
  | {
      readonly status: "COMPLETED" | "CANCELLED" | "PAUSED";
      readonly output: Pick<RunOutput | WorkflowRunOutput, "content">;
    }
  | { readonly status: "ERROR"; readonly error: string; readonly cause: string }
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
  const end = endOf(outcome);
  if (end) span.end(end);
  return outcome;
}

const kinds = { agent: "AGENT", team: "TEAM", workflow: "WORKFLOW" } as const;

function factsOf(runnable: Runnable, { run_id, session_id, user_id }: RunRequest): SpanAttributes {
  const { id, name } = runnable;
  const facts = { run_id, session_id, user_id, component_id: id, component_name: name };
  if (runnable.kind !== "workflow") return facts;
  const { description, steps } = runnable;
  return {
    ...facts,
    ...(description !== undefined && { description }),
    steps: steps.map((step) => step.name),
    step_types: steps.map(({ type }) => type),
  };
}

function endOf(outcome: Outcome): SpanEnd | undefined {
  switch (outcome.status) {
    case "ERROR":
      return { error: outcome.error, error_type: outcome.cause };
    case "COMPLETED":
    case "CANCELLED": {
      const output = spanText(outcome.output.content);
      return output === undefined ? {} : { output };
    }
    default:
      return undefined;
  }
}
