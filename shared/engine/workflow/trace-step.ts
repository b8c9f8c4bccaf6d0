import type { WorkflowStep } from "../define/workflow.ts";
import type { TraceSpan } from "../ports/tracing.ts";
import { spanText } from "../run/trace-run.ts";
import { type Place, type Scope, StepFailed, StepRefused, type StepsResult } from "./scope.ts";

/** Runs a step of a workflow within a span. An unfinished step leaves it open; a step that had ended already has one. */
export async function traceStep(
  step: WorkflowStep,
  place: Place,
  previous: unknown,
  scope: Scope,
  run: (scope: Scope) => Promise<StepsResult>,
): Promise<StepsResult> {
  if (!scope.ports.span || hasEnded(place, scope)) return run(scope);
  const input = spanText(previous);
  const span = scope.ports.span.child({
    key: `step:${place.path}`,
    name: `${step.name.replaceAll(/[\s-]/g, "_")}.execute`,
    kind: "WORKFLOW",
    ...(input !== undefined && { input }),
    facts: { step_type: step.type },
  });
  try {
    const result = await run({ ...scope, ports: { ...scope.ports, span } });
    if (result.done) endStep(span, place, result, scope);
    return result;
  } catch (error) {
    if (error instanceof StepFailed || error instanceof StepRefused)
      span.end({
        error: error.message,
        error_type: error instanceof StepFailed ? error.error_type : "refused",
      });
    throw error;
  }
}

const hasEnded = ({ path }: Place, { progress }: Scope): boolean =>
  path in progress.state().results || progress.decided(`${path}#ended`) !== undefined;

function endStep(
  span: TraceSpan,
  { path }: Place,
  { content, error_type }: Extract<StepsResult, { done: true }>,
  { progress }: Scope,
): void {
  const result = progress.state().results[path];
  const output = spanText(content);
  if (result?.success === false) {
    span.end({ error: result.error ?? "The step failed.", ...(error_type !== undefined && { error_type }) });
  } else span.end(output === undefined ? {} : { output });
}
