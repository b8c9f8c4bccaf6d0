import { type JoinedMedia, outputMedia } from "../../../domain/runs/output-media.ts";
import { epochSeconds } from "../../../runtime/clock.ts";
import { describeForeignFault } from "../../../runtime/describe-error.ts";
import type { Requirement, RunOutput } from "../../../schemas/runs/run.ts";
import type { StepOutput } from "../../../schemas/runs/workflow-run.ts";
import { untilStopped } from "../../abort/until-stopped.ts";
import type { Agent } from "../../define/agent.ts";
import type { Team } from "../../define/team.ts";
import { answerOf, type StepAnswer, type StepFunction, type StepOf } from "../../define/workflow.ts";
import { saveMedia } from "../../media/save-media.ts";
import { awaitsPerson } from "../../run/next-step.ts";
import { RunStopped } from "../../run/run-stopped.ts";
import type { NestedRun } from "../../run/workflow-state.ts";
import { openRequirement } from "../review/requirement.ts";
import type { Place, Scope } from "../scope.ts";
import { jsonCopyOfAnswer } from "./json-copy-of-answer.ts";
import { stepInput } from "./step-input.ts";
import { stepOutput } from "./step-output.ts";

/** How the work of a step came out. */
export type Executed =
  | { readonly ended: "produced"; readonly output: StepOutput }
  | { readonly ended: "failed"; readonly error: string; readonly error_type: string }
  /** Put down, stopped, or waiting for a person. */
  | { readonly ended: "unfinished" };

/** Does a step's work: calls its function, or goes on with its agent's or team's run. */
export async function executeStep(
  step: StepOf<"Step">,
  place: Place,
  given: unknown,
  user_input: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Promise<Executed> {
  const { name: step_name, index: step_index } = place;
  // What finished before is kept before this step begins, so that nobody does it again.
  await scope.state.finished();
  scope.ports.beforeStep?.();
  if (scope.ports.signal.aborted) return { ended: "unfinished" };
  if (scope.progress.isFirst(`${place.path}#begun`)) {
    scope.emit({ event: "StepStarted", step_name, step_index }, { step_id: place.path });
  }
  const { executor } = step;
  return typeof executor === "function"
    ? callFunction(executor, step, place, stepInput(given, scope, user_input), scope)
    : goOnWithRun(executor, step, place, taskFor(place, given, user_input, scope), scope);
}

async function callFunction(
  call: StepFunction,
  step: StepOf<"Step">,
  place: Place,
  input: Parameters<StepFunction>[0],
  scope: Scope,
): Promise<Executed> {
  const { signal } = scope.ports;
  try {
    // Called within the promise, so that what it throws at once is caught as what it throws later.
    const given = jsonCopyOfAnswer(
      answerOf(
        await untilStopped(
          Promise.resolve().then(() => call(input)),
          signal,
        ),
      ),
    );
    if (given.session_state) scope.progress.setSessionState(given.session_state);
    const { content = null, stop = false } = given;
    const output = stepOutput(step, place, { content, stop, ...(await filesOf(given, scope)) });
    const { name: step_name, index: step_index } = place;
    scope.emit({ event: "StepOutput", step_name, step_index, step_output: output });
    return { ended: "produced", output };
  } catch (error) {
    if (signal.aborted) return cutOff(step, place, scope);
    const told = { run_id: scope.run_id, step_name: place.name };
    scope.ports.warn?.("a step's function failed", { ...told, ...describeForeignFault(error) });
    const message = error instanceof Error ? error.message : String(error);
    return { ended: "failed", error: message, error_type: error instanceof Error ? error.name : "Error" };
  }
}

async function filesOf({ media }: StepAnswer, { progress, ports }: Scope): Promise<JoinedMedia> {
  if (!media) return {};
  const made = outputMedia(...Object.values(progress.state().results));
  return untilStopped(saveMedia(media, made, ports), ports.signal);
}

/** A step that was under way when the workflow was cancelled is kept as what it is: not successful. */
function cutOff(step: StepOf<"Step">, place: Place, scope: Scope): Executed {
  const { reason } = scope.ports.signal;
  if (reason instanceof RunStopped && reason.kind === "cancelled") {
    scope.progress.finish(
      place.path,
      stepOutput(step, place, { content: null, success: false, error: reason.message }),
    );
  }
  return { ended: "unfinished" };
}

async function goOnWithRun(
  executor: Agent | Team,
  step: StepOf<"Step">,
  place: Place,
  input: string,
  scope: Scope,
): Promise<Executed> {
  const { progress, ports } = scope;
  const { path: step_id, name: step_name, index: step_index } = place;
  const known = progress.state().nested[step_id];
  const run: NestedRun = known ?? {
    run_id: ports.newId(),
    input,
    created_at: epochSeconds(ports.clock),
    paused: false,
  };
  const shown = { step_name, step_index, step_id, ...executorOf(executor, run) };
  if (run.paused && !isAnswered(place, scope)) {
    scope.progress.note("waits for a person");
    return { ended: "unfinished" };
  }
  if (run.paused) {
    progress.forget(`${step_id}#answered`);
    scope.emit({ event: "StepExecutorContinued", ...shown });
  }
  const going = { ...run, paused: false };
  progress.nest(step_id, going);
  const before = progress.state().session_state;
  const { workflow_id, run_id: workflow_run_id, depth: nested_depth } = scope;
  const outcome = await ports.execute({
    executor,
    run,
    continues: run.paused,
    within: { workflow_id, workflow_run_id, step_id, step_name, step_index, nested_depth },
    session_state: before,
    emit: ports.emit,
    ...(ports.span && { span: ports.span }),
    saveCheckpoint: (state) => {
      progress.nest(step_id, { ...going, state });
      return scope.state.now();
    },
  });
  if (outcome.status !== "YIELDED") progress.setSessionState(changesOf(before, outcome.output));
  switch (outcome.status) {
    case "YIELDED":
      progress.nest(step_id, { ...going, state: outcome.state });
      progress.note("is put down");
      return { ended: "unfinished" };
    case "PAUSED": {
      const { output, digests } = outcome;
      const executor_requirements = openRequirementsOf(output);
      progress.nest(step_id, { ...run, state: undefined, paused: true, output, digests });
      progress.note("waits for a person");
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
      });
    case "CANCELLED":
      return end(place, outcome.output, scope, cutOff(step, place, scope));
    case "COMPLETED":
      return end(place, outcome.output, scope, {
        ended: "produced",
        output: outputOf(step, place, outcome.output),
      });
  }
}

/** What the pause of a run asks anew; what earlier pauses asked has been answered. */
const openRequirementsOf = ({ requirements = [] }: RunOutput): Requirement[] =>
  requirements.filter(({ tool_execution }) => awaitsPerson(tool_execution));

/** What a run has changed in the session's state, so that runs side by side do not take each other's back. */
function changesOf(before: Readonly<Record<string, unknown>>, { session_state = {} }: RunOutput) {
  const changed = Object.entries(session_state).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  return Object.fromEntries(changed);
}

function end(place: Place, output: RunOutput, scope: Scope, executed: Executed): Executed {
  scope.progress.nest(place.path, undefined);
  scope.progress.keepRun(output);
  return executed;
}

const outputOf = (step: StepOf<"Step">, place: Place, output: RunOutput): StepOutput =>
  stepOutput(step, place, {
    content: output.content ?? null,
    ...outputMedia(output),
    step_run_id: output.run_id,
    metrics: { ...output.metrics },
  });

const executorOf = ({ id, name, kind }: Agent | Team, { run_id }: NestedRun) => ({
  executor_id: id,
  executor_name: name,
  executor_run_id: run_id,
  executor_type: kind,
});

/** Whether the answers that the executor's run waits for have been put into its state. */
function isAnswered(place: Place, { progress }: Scope): boolean {
  return progress.decided(`${place.path}#answered`) === true;
}

/** What an agent or a team is asked: the content of the step before, and what people said about this one. */
function taskFor(
  place: Place,
  given: unknown,
  user_input: Readonly<Record<string, unknown>> | undefined,
  { progress }: Scope,
): string {
  const task = typeof given === "string" ? given : JSON.stringify(given ?? "");
  const feedback = progress.decided(`${place.path}#feedback`);
  return [
    task,
    ...(user_input ? [`Input of the user: ${JSON.stringify(user_input)}`] : []),
    ...(typeof feedback === "string" ? [`The last answer was refused: ${feedback}`] : []),
  ].join("\n\n");
}
