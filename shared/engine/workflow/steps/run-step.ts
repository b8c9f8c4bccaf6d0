import { outputMedia } from "../../../domain/runs/output-media.ts";
import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StepOf } from "../../define/workflow.ts";
import { consentTo } from "../review/consent.ts";
import { reviewOutput } from "../review/review-output.ts";
import {
  OF_FUNCTIONS,
  type Place,
  type Scope,
  StepFailed,
  type StepsResult,
  skippedStep,
  unfinished,
  waitForPerson,
} from "../scope.ts";
import { type Executed, executeStep } from "./execute-step.ts";
import { stepOutput } from "./step-data.ts";

/**
 * One unit of work: consent, execution, review of the output.
 *
 *   finished before       → its stored output
 *   refused               → skipped
 *   failed                → executed again, then as `on_error` says: skip, fail, or ask
 *   output refused        → executed again with the person's feedback, as often as the review allows
 *
 * @throws StepFailed, StepRefused  where the workflow ends with it
 */
export async function runStep(
  step: StepOf<"Step">,
  place: Place,
  previous: unknown,
  scope: Scope,
): Promise<StepsResult> {
  const known = ownMember(scope.progress.state().results, place.path);
  if (known) return resultOf(known, previous);
  const consent = consentTo(step, place, scope);
  if (consent.answer === "waits") return waitForPerson(scope);
  if (consent.answer !== "granted") return skippedStep(previous);
  for (;;) {
    const executed = await produce(step, place, previous, consent.user_input, scope);
    if (executed.ended === "unfinished") return unfinished;
    if (executed.ended === "skipped") {
      const { output, error_type } = executed;
      scope.progress.finish(place.path, output);
      return { ...resultOf(output, previous), error_type };
    }
    const review = reviewOutput(step, place, executed.output, scope);
    if (review.verdict === "waits") return waitForPerson(scope);
    if (review.verdict === "skipped") return skippedStep(previous);
    if (review.verdict === "accepted") {
      scope.emit(completed(place, review.output), { step_id: place.path });
      scope.progress.finish(place.path, review.output);
      return resultOf(review.output, previous);
    }
  }
}

/**
 * How often a step whose model's service failed is executed again without a word from its author. What a function or a tool
 * has done may not be done twice, so only a run that has called nothing is repeated.
 */
const RETRIES = 3;

type Produced =
  | { readonly ended: "produced"; readonly output: StepOutput }
  | { readonly ended: "skipped"; readonly output: StepOutput; readonly error_type: string }
  | { readonly ended: "unfinished" };

/** The executor's output, or its replacement. While a person reviews it, the stored one is used. */
async function produce(
  step: StepOf<"Step">,
  place: Place,
  previous: unknown,
  user_input: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Promise<Produced> {
  const { progress } = scope;
  const inReview = progress.state().requirements[`${place.path}#output`]?.step_output;
  if (inReview) return { ended: "produced", output: inReview };
  const asked = ownMember(progress.state().errors, place.path);
  if (asked && asked.decision === null) return waits(scope);
  if (asked?.decision === "skip") {
    const { error_message, error_type } = asked;
    return skipped(step, place, { error: error_message, error_type }, scope);
  }
  for (let tries = 0; ; tries += 1) {
    const executed = await executeStep(step, place, previous, user_input, scope);
    if (executed.ended !== "failed") return executed;
    const most = step.max_retries ?? (executed.mayRepeat ? RETRIES : 0);
    if (tries < most && !scope.ports.signal.aborted) continue;
    return failed(step, place, executed, scope);
  }
}

function failed(
  step: StepOf<"Step">,
  place: Place,
  { error, error_type, cause }: Extract<Executed, { ended: "failed" }>,
  scope: Scope,
): Produced {
  const { name: step_name, index: step_index, path: step_id } = place;
  scope.emit({ event: "StepError", step_name, step_index, error });
  scope.progress.recordFailure(cause ?? OF_FUNCTIONS);
  switch (step.on_error ?? "fail") {
    case "fail":
      throw new StepFailed(`The step ${step_name} failed: ${error}`, cause ?? error_type, cause);
    case "skip":
      return skipped(step, place, { error, error_type: cause ?? error_type }, scope);
    case "pause": {
      const before = ownMember(scope.progress.state().errors, step_id)?.retry_count ?? -1;
      const retry_count = before + 1;
      const asked = { step_id, step_name, step_index, error_message: error, error_type, retry_count };
      scope.progress.fail(step_id, { ...asked, decision: null });
      return waits(scope);
    }
  }
}

function waits(scope: Scope): Produced {
  waitForPerson(scope);
  return { ended: "unfinished" };
}

function skipped(
  step: StepOf<"Step">,
  place: Place,
  { error, error_type }: Pick<Extract<Executed, { ended: "failed" }>, "error" | "error_type">,
  scope: Scope,
): Produced {
  const output = stepOutput(step, place, { content: null, success: false, error });
  scope.progress.fail(place.path, undefined);
  return { ended: "skipped", output, error_type };
}

/** Of a step whose failure is skipped, the input is the input of the next one. */
const resultOf = (output: StepOutput, previous: unknown) => ({
  done: true as const,
  outputs: [output],
  content: output.success ? output.content : previous,
  stop: output.stop,
});

const completed = ({ name, index }: Place, output: StepOutput) => ({
  event: "StepCompleted" as const,
  step_name: name,
  step_index: index,
  content: output.content,
  content_type: typeof output.content === "string" ? "str" : "dict",
  ...outputMedia(output),
  step_response: output,
});
