import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { answerText } from "./answer-text.ts";
import { type EnvelopeId, envelope, envelopeMessage, envelopeTask } from "./envelope-task.ts";
import { CONTENT_CATEGORY, contentIn, EVENT_TYPE, progressOf } from "./progress.ts";
import type { TaskView } from "./task-of.ts";
import { envelopeStateOf } from "./task-states.ts";

type Json = Readonly<Record<string, unknown>>;

type Source = {
  readonly id: EnvelopeId;
  readonly first: TaskView;
  readonly events: AsyncIterable<RecordedEvent>;
  /** The task after its last event; undefined where the reader disconnected before. */
  readonly last: () => Promise<TaskView | undefined>;
};

/**
 * A stream of a task, in frames of the envelope dialect. A run that pauses ends the stream as `working`: the dialect has
 * no state for it, and the run is not completed.
 *
 * @source docs/interface/a2a.md 4.3
 */
export async function* envelopeStream({ id, first, events, last }: Source): AsyncGenerator<string> {
  const { run_id, session_id } = first.run;
  const status = (state: string, final: boolean, metadata?: Json) =>
    frame("TaskStatusUpdateEvent", id, {
      kind: "status-update",
      taskId: run_id,
      contextId: session_id,
      status: { state },
      final,
      ...(metadata && { metadata }),
    });
  const message = (text: string, category: string) =>
    frame("Message", id, { ...envelopeMessage(first, [text], { [CONTENT_CATEGORY]: category }) });
  let text = "";
  yield status("working", false);
  for await (const event of events) {
    const delta = contentIn(event, run_id);
    if (delta.reasoning !== "") yield message(delta.reasoning, "reasoning");
    if (delta.text !== "") yield message(delta.text, "content");
    text += delta.text;
    const progress = progressOf(event);
    if (progress) yield status("working", false, progress);
  }
  const seen = await last();
  if (!seen) return;
  const { run } = seen;
  const whole = run.status === "COMPLETED" ? answerText(run.output.content) : "";
  if (text === "" && whole !== "") yield message(whole, "content");
  yield status(envelopeStateOf[run.status], true, cancellationOf(seen));
  const metrics = "metrics" in run.output ? run.output.metrics : undefined;
  yield frame("Task", id, envelopeTask(seen, { text: whole || text, metrics }));
}

const cancellationOf = ({ run, cancel_reason }: TaskView): Json | undefined =>
  run.status === "CANCELLED"
    ? { [EVENT_TYPE]: "run_cancelled", ...(cancel_reason !== undefined && { reason: cancel_reason }) }
    : undefined;

const frame = (name: string, id: EnvelopeId, result: Json): string =>
  `event: ${name}\ndata: ${JSON.stringify(envelope(id, result))}\n\n`;
