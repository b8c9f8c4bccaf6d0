import type { Artifact, StreamResponse, TaskStatus } from "@a2a-js/sdk";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { fileArtifacts } from "./made-files.ts";
import { agentMessage, textPart } from "./part.ts";
import { CONTENT_CATEGORY, isBeginning, progressOf, spokenIn } from "./progress.ts";
import {
  answerArtifact,
  answerOf,
  type SeenTask,
  statusOf,
  takenStatusOf,
  taskOf,
  timestampOf,
} from "./task-of.ts";
import { taskStateOf } from "./task-states.ts";

type Source = {
  /** As it stands now. */
  readonly first: SeenTask;
  /** Whether the events are what became of a message: the task then comes first as it was when that was taken. */
  readonly isTaken?: boolean;
  readonly events: AsyncIterable<RecordedEvent>;
  /** The task once its events are over; undefined where the reader left before. */
  readonly last: () => Promise<SeenTask | undefined>;
  /** The task as it stands when it pauses, where the stream goes on after that. */
  readonly paused?: () => Promise<SeenTask | undefined>;
};

/**
 * A task as it unfolds, in protocol version 1.0: the task, its progress and answer, and how it came to rest. Made of
 * the record alone, so that every reader is told the same.
 *
 * @source contract, a2a section 8.4
 */
export async function* taskStream(source: Source): AsyncGenerator<StreamResponse, void, undefined> {
  const { run } = source.first;
  const answer = answerChunks(run);
  const status = source.isTaken ? takenStatusOf(source.first) : statusOf(source.first);
  yield {
    payload: { $case: "task", value: { ...taskOf(source.first), status, artifacts: [], history: [] } },
  };
  for await (const event of source.events) {
    if (isBeginning(event, run.run_id)) {
      answer.restart();
      yield statusUpdate(run, working(event));
    }
    const { text, reasoning } = spokenIn(event, run.run_id);
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
  yield* answer.end(answerOf(last));
  for (const file of fileArtifacts(run.run_id, last.files ?? [])) yield artifactUpdate(run, file, whole);
  yield statusUpdate(run, statusOf(last));
}

type At = SeenTask["run"];

type Chunk = { readonly append: boolean; readonly lastChunk: boolean };
const whole: Chunk = { append: false, lastChunk: true };

const artifactUpdate = ({ run_id, session_id }: At, artifact: Artifact, how: Chunk): StreamResponse => ({
  payload: {
    $case: "artifactUpdate",
    value: { taskId: run_id, contextId: session_id, artifact, ...how, metadata: undefined },
  },
});

/** Sends an answer in pieces, one behind: only at the end it is known which piece is the last. */
function answerChunks(run: At) {
  let held: string | undefined;
  let sent = "";
  const chunk = (text: string, how: Chunk) => artifactUpdate(run, answerArtifact(run.run_id, text), how);
  return {
    /** An execution that starts over replaces what an earlier one said. */
    restart() {
      held = undefined;
      sent = "";
    },
    *add(text: string) {
      if (held !== undefined) {
        yield chunk(held, { append: sent !== "", lastChunk: false });
        sent += held;
      }
      held = text;
    },
    /** @param whole  the final answer; where the pieces do not make it up, it replaces them */
    *end(whole: string) {
      const said = sent + (held ?? "");
      if (whole !== "" && whole !== said) yield chunk(whole, { append: false, lastChunk: true });
      else if (held !== undefined) yield chunk(held, { append: sent !== "", lastChunk: true });
      held = undefined;
      sent = said;
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
