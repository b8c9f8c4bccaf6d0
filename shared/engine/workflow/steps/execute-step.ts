import type { FailureCause } from "../../../domain/jobs/failure-cause.ts";
import { type JoinedMedia, outputMedia } from "../../../domain/runs/output-media.ts";
import { epochSeconds } from "../../../runtime/clock.ts";
import { describeForeignError } from "../../../runtime/describe-error.ts";
import { untilStopped } from "../../../runtime/promises.ts";
import type { Requirement, RunOutput } from "../../../schemas/runs/run.ts";
import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { Agent } from "../../define/agent.ts";
import type { Team } from "../../define/team.ts";
import { type StepAnswer, type StepFunction, type StepOf, stepAnswerOf } from "../../define/workflow.ts";
import { jsonCopy } from "../../ports/session-state.ts";
import { awaitsPerson, RunStopped } from "../../run/next-step.ts";
import { saveMedia } from "../../run/run-media.ts";
import type { NestedRun } from "../../run/workflow-state.ts";
import { openRequirement } from "../review/requirement.ts";
import { errorTypeOf, type Place, type Scope } from "../scope.ts";
import { stepInput, stepOutput } from "./step-data.ts";

/** The result of a step's work. */
export type Executed =
  | { readonly ended: "produced"; readonly output: StepOutput }
  | {
      readonly ended: "failed";
      readonly error: string;
      /** As people are shown it. */
      readonly error_type: string;
      /** Of the step's run; absent where a function failed. */
      readonly cause?: FailureCause;
      /** Whether nothing but model calls was done, and another try may succeed. */
      readonly mayRepeat?: boolean;
    }
  /** Yielded, stopped, or waiting for a person. */
  | { readonly ended: "unfinished" };

/** Does a step's work: calls its function, or starts or resumes the run of its agent or team. */
export async function executeStep(
  step: StepOf<"Step">,
  place: Place,
  previous: unknown,
  user_input: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Promise<Executed> {
  const { name: step_name, index: step_index } = place;
  // Finished steps are saved before this step begins, so that they are not repeated.
  await scope.state.finished();
  scope.ports.beforeStep?.();
  if (scope.ports.signal.aborted) return { ended: "unfinished" };
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "StepStarted", step_name, step_index }, { step_id: place.path });
  }
  const { executor } = step;
  return typeof executor === "function"
    ? callFunction(executor, step, place, stepInput(previous, scope, user_input), scope)
    : runExecutor(executor, step, place, taskFor(place, previous, user_input, scope), scope);
}

async function callFunction(
  call: StepFunction,
  step: StepOf<"Step">,
  place: Place,
  input: Parameters<StepFunction>[0],
  scope: Scope,
): Promise<Executed> {
  const { signal } = scope.ports;
  const sessionState = scope.sessionState.open(`step:${place.path}`);
  try {
    // Called within the promise, so that a synchronous throw is caught like a rejection.
    const answer = jsonCopyOfAnswer(
      stepAnswerOf(
        await untilStopped(
          Promise.resolve().then(() => call({ ...input, session_state: sessionState.current() })),
          signal,
        ),
      ),
    );
    if (answer.session_state) sessionState.update(answer.session_state);
    const { content = null, stop = false } = answer;
    const output = stepOutput(step, place, { content, stop, ...(await filesOf(answer, scope)) });
    const { name: step_name, index: step_index } = place;
    scope.emit({ event: "StepOutput", step_name, step_index, step_output: output });
    return { ended: "produced", output };
  } catch (error) {
    if (signal.aborted) return interrupted(step, place, scope);
    const ids = { run_id: scope.run_id, step_name: place.name };
    scope.ports.warn?.("a step's function failed", { ...ids, ...describeForeignError(error) });
    const message = error instanceof Error ? error.message : String(error);
    return { ended: "failed", error: message, error_type: errorTypeOf(error) };
  }
}

async function filesOf({ media }: StepAnswer, { progress, ports }: Scope): Promise<JoinedMedia> {
  if (!media) return {};
  const made = outputMedia(...Object.values(progress.state().results));
  return untilStopped(saveMedia(media, made, ports), ports.signal);
}

/** A step that was running when the workflow was cancelled is recorded as not successful. */
function interrupted(step: StepOf<"Step">, place: Place, scope: Scope): Executed {
  const { reason } = scope.ports.signal;
  if (reason instanceof RunStopped && reason.kind === "cancelled") {
    scope.progress.finish(
      place.path,
      stepOutput(step, place, { content: null, success: false, error: reason.message }),
    );
  }
  return { ended: "unfinished" };
}

async function runExecutor(
  executor: Agent | Team,
  step: StepOf<"Step">,
  place: Place,
  input: string,
  scope: Scope,
): Promise<Executed> {
  const { progress, ports } = scope;
  const { path: step_id, name: step_name, index: step_index } = place;
  const known = ownMember(progress.state().nested, step_id);
  const run: NestedRun = known ?? {
    run_id: ports.newId(),
    input,
    created_at: epochSeconds(ports.clock),
    paused: false,
  };
  const shown = { step_name, step_index, step_id, ...executorOf(executor, run) };
  if (run.paused && !isAnswered(place, scope)) {
    scope.progress.halt("waiting");
    return { ended: "unfinished" };
  }
  if (run.paused) {
    progress.clearDecision(`${step_id}#answered`);
    scope.emit({ event: "StepExecutorContinued", ...shown });
  }
  const running = { ...run, paused: false };
  progress.nest(step_id, running);
  const { workflow_id, run_id: workflow_run_id, depth: nested_depth } = scope;
  const outcome = await ports.execute({
    executor,
    run,
    continues: run.paused,
    within: { workflow_id, workflow_run_id, step_id, step_name, step_index, nested_depth },
    sessionState: scope.sessionState,
    history_runs: historyRuns(step, scope),
    emit: ports.emit,
    ...(ports.span && { span: ports.span }),
    saveCheckpoint: (state) => {
      progress.nest(step_id, { ...running, state });
      return scope.state.now();
    },
  });
  switch (outcome.status) {
    case "YIELDED":
      progress.nest(step_id, { ...running, state: outcome.state });
      progress.halt("yielded");
      return { ended: "unfinished" };
    case "PAUSED": {
      const { output, digests } = outcome;
      const executor_requirements = openRequirementsOf(output);
      progress.nest(step_id, { ...run, state: undefined, paused: true, output, digests });
      progress.halt("waiting");
      progress.require(step_id, {
        ...openRequirement(step, place, step.review),
        requires_executor_input: true,
        executor_requirements,
        executor_session_id: scope.session_id,
        ...executorOf(executor, run),
      });
      scope.emit({ event: "StepExecutorPaused", ...shown, executor_requirements });
      return { ended: "unfinished" };
    }
    case "ERROR":
      return end(place, outcome.output, scope, {
        ended: "failed",
        error: outcome.error,
        error_type: "RunError",
        cause: outcome.cause,
        mayRepeat: outcome.mayPass && hasCalledNothing(outcome.output),
      });
    case "CANCELLED":
      return end(place, outcome.output, scope, interrupted(step, place, scope));
    case "COMPLETED":
      return end(place, outcome.output, scope, {
        ended: "produced",
        output: outputOf(step, place, outcome.output),
      });
  }
}

/** A team's members run by its calls, so its own calls report theirs. */
const hasCalledNothing = ({ tools = [] }: RunOutput): boolean => tools.length === 0;

function historyRuns({ add_workflow_history, num_history_runs }: StepOf<"Step">, { history }: Scope): number {
  return (add_workflow_history ?? history.forAll) ? (num_history_runs ?? history.runs) : 0;
}

/** The requirements of a run's current pause; those of earlier pauses have been answered. */
const openRequirementsOf = ({ requirements = [] }: RunOutput): Requirement[] =>
  requirements.filter(({ tool_execution }) => awaitsPerson(tool_execution));

function end(place: Place, output: RunOutput, scope: Scope, executed: Executed): Executed {
  scope.progress.nest(place.path, undefined);
  scope.progress.addRun(output);
  return executed;
}

const outputOf = (step: StepOf<"Step">, place: Place, output: RunOutput): StepOutput =>
  stepOutput(step, place, {
    content: output.content ?? null,
    ...outputMedia(output),
    step_run_id: output.run_id,
    metrics: { ...output.metrics },
    ...(output.finish_reason && { finish_reason: output.finish_reason }),
  });

const executorOf = ({ id, name, kind }: Agent | Team, { run_id }: NestedRun) => ({
  executor_id: id,
  executor_name: name,
  executor_run_id: run_id,
  executor_type: kind,
});

/** Whether the answers that the executor's run waits for have been entered in its state. */
function isAnswered(place: Place, { progress }: Scope): boolean {
  return progress.decided(`${place.path}#answered`) === true;
}

/** The input of an agent or a team: the content of the step before, and people's input and feedback for this one. */
function taskFor(
  place: Place,
  previous: unknown,
  user_input: Readonly<Record<string, unknown>> | undefined,
  { progress }: Scope,
): string {
  const task = typeof previous === "string" ? previous : JSON.stringify(previous ?? "");
  const feedback = progress.decided(`${place.path}#feedback`);
  return [
    task,
    ...(user_input ? [`Input of the user: ${JSON.stringify(user_input)}`] : []),
    ...(typeof feedback === "string" ? [`The last answer was refused: ${feedback}`] : []),
  ].join("\n\n");
}

/** A function's answer as it will be stored. @throws TypeError when it cannot be stored as JSON */
function jsonCopyOfAnswer(answer: StepAnswer): StepAnswer {
  const { content, session_state } = answer;
  return {
    ...answer,
    ...(content !== undefined && { content: jsonCopy(content) }),
    ...(session_state && { session_state: jsonCopy(session_state) }),
  };
}
