import type { Artifact, Message, Part, Task, TaskStatus } from "@a2a-js/sdk";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { StoredTask } from "../stores/runs/tasks/task-item.ts";
import { answerText } from "./answer-text.ts";
import { openQuestions } from "./open-questions.ts";
import { fileArtifacts, type OutputFile } from "./output-files.ts";
import { agentMessage, dataPart, textPart, userMessage } from "./part.ts";
import { taskStateOf } from "./task-states.ts";

/** A run as other agents see it. */
export type TaskView = {
  readonly run: StoredRun;
  /** Absent where the run was not begun by A2A. */
  readonly task: StoredTask | undefined;
  /** Why a cancelled run was cancelled, from its last event. */
  readonly cancel_reason?: string | undefined;
  /** Files that it has made; absent where artifacts are not shown. */
  readonly files?: readonly OutputFile[];
};

/** A run as a task of protocol version 1.0. @source contract, a2a sections 5, 8.2 and 8.3, "What goes where" */
export function taskOf(seen: TaskView): Task {
  const { run_id, session_id } = seen.run;
  return {
    id: run_id,
    contextId: session_id,
    status: statusOf(seen),
    artifacts: artifactsOf(seen),
    history: historyOf(seen),
    metadata: undefined,
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
 * @source contract, a2a section 8.4, first event
 */
export function acceptedStatusOf(seen: TaskView): TaskStatus {
  const { status, output } = seen.run;
  if (status === "PENDING" || status === "RUNNING") return statusOf(seen);
  return { state: taskStateOf.PENDING, message: undefined, timestamp: timestampOf(output.created_at) };
}

/** With milliseconds, as the protocol wants it. @param seconds epoch seconds */
export const timestampOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

function explanationOf({ run, cancel_reason }: TaskView): Message | undefined {
  const message = (parts: Part[]) => agentMessage(run, `${run.run_id}:status`, parts);
  if (run.status === "ERROR") return message([textPart(answerText(run.output.content))]);
  if (run.status === "CANCELLED") return message([textPart(cancel_reason ?? "The run was cancelled.")]);
  if (run.status !== "PAUSED") return undefined;
  const { requirements, step_requirements, error_requirements } = run.output;
  const questions = openQuestions(run).map(({ text }) => text);
  return message([
    textPart(questions.length > 0 ? questions.join("\n") : "The run is paused until it is continued."),
    dataPart({
      ...(requirements && { requirements }),
      ...(step_requirements && { step_requirements }),
      ...(error_requirements && { error_requirements }),
    }),
  ]);
}

/** A run's answer, whole or partial. */
export function answerOf({ run, cancel_reason }: TaskView): string {
  const text = answerText(run.output.content);
  if (run.status === "COMPLETED" || run.status === "REGENERATED") return text;
  return run.status === "CANCELLED" && cancel_reason !== undefined && text !== cancel_reason ? text : "";
}

const artifactIdOf = (runId: string): string => `${runId}:response`;

/** The artifact of a run's answer. */
export const answerArtifact = (runId: string, text: string): Artifact => ({
  artifactId: artifactIdOf(runId),
  name: "response",
  description: "",
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
});

function artifactsOf(seen: TaskView): Artifact[] {
  const text = answerOf(seen);
  const { run, files = [] } = seen;
  return [...(text === "" ? [] : [answerArtifact(run.run_id, text)]), ...fileArtifacts(run.run_id, files)];
}

function historyOf(seen: TaskView): Message[] {
  const { run, task } = seen;
  const { input } = run.output;
  const answer = answerOf(seen);
  const links = [input.images, input.videos, input.audios, input.files].flatMap((media = []) =>
    media.flatMap(({ url, mime_type, filename }) =>
      url === undefined ? [] : [linkPart(url, mime_type ?? "", filename ?? "")],
    ),
  );
  return [
    userMessage(run, task?.message_id ?? `${run.run_id}:in`, [textPart(input.input_content), ...links]),
    ...(task?.replies ?? []).map(({ message_id, text }) => userMessage(run, message_id, [textPart(text)])),
    ...(answer === "" ? [] : [agentMessage(run, `${run.run_id}:out`, [textPart(answer)])]),
  ];
}

const linkPart = (url: string, mediaType: string, filename: string): Part => ({
  content: { $case: "url", value: url },
  mediaType,
  filename,
  metadata: undefined,
});

/** A task with its newest messages; without any for 0. @param length all of them when undefined */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}
