import type { Artifact, StreamResponse, TaskStatus } from "@a2a-js/sdk";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { fileArtifacts } from "./output-files.ts";
import { agentMessage, textPart } from "./part.ts";
import { CONTENT_CATEGORY, contentIn, isStart, progressOf } from "./progress.ts";
import {
  acceptedStatusOf,
  answerArtifact,
  answerPartOf,
  factsIn,
  statusOf,
  type TaskView,
  taskAnswerText,
  taskOf,
  timestampOf,
} from "./task-of.ts";
import { taskStateOf } from "./task-states.ts";

type Source = {
  /** The task as it is now. */
  readonly first: TaskView;
  /** Whether the events follow from a message: the stream then begins with the task as it was when that was accepted. */
  readonly isTaken?: boolean;
  readonly events: AsyncIterable<RecordedEvent>;
  /** The task after its last event; undefined where the reader disconnected before. */
  readonly last: () => Promise<TaskView | undefined>;
  /** The task when it pauses, where the stream continues after a pause. */
  readonly paused?: () => Promise<TaskView | undefined>;
};

/**
 * A stream of a task, in protocol version 1.0: the task, its progress and answer, and its last status. Made from the
 * record alone, so that every reader gets the same.
 *
 * @source docs/interface/a2a.md 5.3
 */
export async function* taskStream(source: Source): AsyncGenerator<StreamResponse, void, undefined> {
  const { run } = source.first;
  const answer = answerChunks(run);
  const status = source.isTaken ? acceptedStatusOf(source.first) : statusOf(source.first);
  yield {
    payload: { $case: "task", value: { ...taskOf(source.first), status, artifacts: [], history: [] } },
  };
  for await (const event of source.events) {
    if (isStart(event, run.run_id)) {
      answer.restart();
      yield statusUpdate(run, working(event));
    }
    const { text, reasoning } = contentIn(event, run.run_id);
    if (reasoning !== "") yield reasoningUpdate(run, event, reasoning);
    if (text !== "") yield* answer.add(text);
    const progress = progressOf(event);
    if (progress) yield statusUpdate(run, working(event), progress);
    if (source.paused && isPauseOf(event, run.run_id)) {
      yield* answer.end("");
      const seen = await source.paused();
      if (seen?.run.status === "PAUSED") yield statusUpdate(run, statusOf(seen));
    }
  }
  const last = await source.last();
  if (!last) return;
  const part = answerPartOf(last);
  if (part?.content?.$case === "data") {
    // The chunks were its text.
    yield artifactUpdate(run, answerArtifact(run.run_id, part), whole);
  } else yield* answer.end(taskAnswerText(last));
  for (const file of fileArtifacts(run.run_id, last.files ?? [])) yield artifactUpdate(run, file, whole);
  yield statusUpdate(run, statusOf(last), factsIn(last));
}

type At = TaskView["run"];

type Chunk = { readonly append: boolean; readonly lastChunk: boolean };
const whole: Chunk = { append: false, lastChunk: true };

const artifactUpdate = ({ run_id, session_id }: At, artifact: Artifact, how: Chunk): StreamResponse => ({
  payload: {
    $case: "artifactUpdate",
    value: { taskId: run_id, contextId: session_id, artifact, ...how, metadata: undefined },
  },
});

/** Sends an answer in chunks as they come. Which one was the last is said by an empty one behind it. */
function answerChunks(run: At) {
  let sent = "";
  /** Whether its last chunk has not been sent. */
  let isOpen = false;
  const chunk = (text: string, how: Chunk) =>
    artifactUpdate(run, answerArtifact(run.run_id, textPart(text)), how);
  return {
    /** An execution that starts over replaces the answer of an earlier one. */
    restart() {
      sent = "";
      isOpen = false;
    },
    *add(text: string) {
      yield chunk(text, { append: sent !== "", lastChunk: false });
      sent += text;
      isOpen = true;
    },
    /** @param whole  the final answer; it replaces the chunks where they differ from it */
    *end(whole: string) {
      if (whole !== "" && whole !== sent) yield chunk(whole, { append: false, lastChunk: true });
      else if (isOpen) yield chunk("", { append: true, lastChunk: true });
      if (whole !== "") sent = whole;
      isOpen = false;
    },
  };
}

const isPauseOf = ({ event, run_id }: RecordedEvent, runId: string): boolean =>
  run_id === runId && (event === "RunPaused" || event === "TeamRunPaused" || event === "WorkflowPaused");

const working = ({ created_at }: RecordedEvent): TaskStatus => ({
  state: taskStateOf.RUNNING,
  message: undefined,
  timestamp: timestampOf(created_at),
});

const statusUpdate = (
  { run_id, session_id }: At,
  status: TaskStatus,
  metadata?: Record<string, unknown>,
): StreamResponse => ({
  payload: { $case: "statusUpdate", value: { taskId: run_id, contextId: session_id, status, metadata } },
});

function reasoningUpdate(run: At, event: RecordedEvent, text: string): StreamResponse {
  const message = agentMessage(run, `${run.run_id}:reasoning`, [textPart(text)]);
  const status = { ...working(event), message };
  return statusUpdate(run, status, { [CONTENT_CATEGORY]: "reasoning" });
}
