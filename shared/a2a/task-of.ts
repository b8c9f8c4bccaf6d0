import type { Artifact, Message, Part, Task, TaskStatus } from "@a2a-js/sdk";
import { errorText } from "../domain/runs/outcome-of-run.ts";
import { isObject } from "../schemas/values/json-values.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { StoredTask } from "../stores/runs/task-item.ts";
import { answerText } from "./answer-text.ts";
import { openQuestions } from "./open-questions.ts";
import { type FileOfRun, fileArtifacts } from "./output-files.ts";
import { agentMessage, dataPart, textPart, userMessage } from "./part.ts";
import { givenFiles, sentParts } from "./sent-parts.ts";
import { taskStateOf } from "./task-states.ts";

/** A run as other agents see it. */
export type TaskView = {
  readonly run: StoredRun;
  /** Absent where the run was not begun by A2A. */
  readonly task: StoredTask | undefined;
  /** Why a cancelled run was cancelled, from its last event. */
  readonly cancel_reason?: string | undefined;
  /** Seconds until a run goes on whose model is not to be called now; absent for one that does not wait for its model. */
  readonly goes_on_in?: number | undefined;
  /** Files that it has made; absent where artifacts are not shown. */
  readonly files?: readonly FileOfRun[];
  /** Files of its input; without their contents where the history is not shown. */
  readonly given?: readonly FileOfRun[];
};

/** A run as a task of protocol version 1.0. @source docs/interface/a2a.md 3.2, 3.3 */
export function taskOf(seen: TaskView): Task {
  const { run_id, session_id } = seen.run;
  return {
    id: run_id,
    contextId: session_id,
    status: statusOf(seen),
    artifacts: artifactsOf(seen),
    history: historyOf(seen),
    metadata: factsIn(seen),
  };
}

/**
 * The tokens that an ended or waiting run has used, and why its model did not end the answer itself: the protocol has no place for
 * them, so they are where the envelope dialect has them. What a run costs and how long its parts took is its operator's.
 *
 * @decided  In camel case, although the envelope dialect is not: the official kit looks for it in everything of a task (DM-SERIAL-001).
 */
export function factsIn({ run }: TaskView): Task["metadata"] {
  if (run.status === "PENDING" || run.status === "RUNNING") return undefined;
  const { finish_reason } = run.output;
  const metrics = run.output.total_metrics ?? run.output.metrics;
  if (!metrics && !finish_reason) return undefined;
  return {
    ...(metrics && {
      metrics: {
        inputTokens: metrics.input_tokens,
        outputTokens: metrics.output_tokens,
        totalTokens: metrics.total_tokens,
      },
    }),
    ...(finish_reason && { finishReason: finish_reason }),
  };
}

/** Its state, with the reason; the time is that of the last change of state. */
export function statusOf(seen: TaskView): TaskStatus {
  const { run, task } = seen;
  return {
    state: taskStateOf[run.status],
    message: explanationOf(seen),
    timestamp: timestampOf(task?.changed_at ?? run.output.created_at),
  };
}

/**
 * The state when the message was accepted. A short run may end or pause before it is first read, and the stream must
 * not send its states in reverse order.
 *
 * @source docs/interface/a2a.md 5.3
 */
export function acceptedStatusOf(seen: TaskView): TaskStatus {
  const { status, output } = seen.run;
  if (status === "PENDING" || status === "RUNNING") return statusOf(seen);
  return { state: taskStateOf.PENDING, message: undefined, timestamp: timestampOf(output.created_at) };
}

/** With milliseconds, as the protocol wants it. @param seconds epoch seconds */
export const timestampOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

function explanationOf({ run, cancel_reason, goes_on_in }: TaskView): Message | undefined {
  const message = (parts: Part[]) => agentMessage(run, `${run.run_id}:status`, parts);
  if (run.status === "ERROR") return message([textPart(errorText(run.output))]);
  if (run.status === "CANCELLED") return message([textPart(cancel_reason ?? "The run was cancelled.")]);
  if (goes_on_in !== undefined)
    return message([
      textPart(`The model's service is not called now; the task goes on in ${goes_on_in} s.`),
      dataPart({ retry_after_seconds: goes_on_in }),
    ]);
  if (run.status !== "PAUSED") return undefined;
  const { requirements, step_requirements, error_requirements } = run.output;
  return message([
    textPart(questionOf(run)),
    dataPart({
      ...(requirements && { requirements }),
      ...(step_requirements && { step_requirements }),
      ...(error_requirements && { error_requirements }),
    }),
  ]);
}

/** What a paused run asks, in words. */
export function questionOf(run: StoredRun): string {
  const questions = openQuestions(run).map(({ text }) => text);
  return questions.length > 0 ? questions.join("\n") : "The run is paused until it is continued.";
}

/** A run's answer, whole or partial. */
export function taskAnswerText({ run, cancel_reason }: TaskView): string {
  const text = answerText(run.output.content);
  if (run.status === "COMPLETED" || run.status === "REGENERATED") return text;
  return run.status === "CANCELLED" && cancel_reason !== undefined && text !== cancel_reason ? text : "";
}

const artifactIdOf = (runId: string): string => `${runId}:response`;

/** The artifact of a run's answer. @param part  its text, or a structured answer */
export const answerArtifact = (runId: string, part: Part): Artifact => ({
  artifactId: artifactIdOf(runId),
  name: "response",
  description: "",
  parts: [part],
  metadata: undefined,
  extensions: [],
});

/** The answer as a part: data where it follows a schema. */
export function answerPartOf(seen: TaskView): Part | undefined {
  const text = taskAnswerText(seen);
  if (text === "") return undefined;
  const { content } = seen.run.output;
  return isObject(content) && text === answerText(content) ? dataPart(content) : textPart(text);
}

function artifactsOf(seen: TaskView): Artifact[] {
  const part = answerPartOf(seen);
  const { run, files = [] } = seen;
  return [...(part ? [answerArtifact(run.run_id, part)] : []), ...fileArtifacts(run.run_id, files)];
}

function historyOf(seen: TaskView): Message[] {
  const { run, task } = seen;
  const answer = taskAnswerText(seen);
  const { input } = run.output;
  const sent = sentParts(input, task?.parts, seen.given ?? givenFiles(input));
  return [
    userMessage(run, task?.message_id ?? `${run.run_id}:in`, sent),
    ...(task?.replies ?? []).flatMap(({ message_id, text, question }, i) => [
      ...(question === undefined
        ? []
        : [agentMessage(run, `${run.run_id}:question-${i}`, [textPart(question)])]),
      userMessage(run, message_id, [textPart(text)]),
    ]),
    ...(answer === "" ? [] : [agentMessage(run, `${run.run_id}:out`, [textPart(answer)])]),
  ];
}

/** A task with its newest messages; without any for 0. @param length all of them when undefined */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}
