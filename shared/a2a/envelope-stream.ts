import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { answerText } from "./answer-text.ts";
import { type EnvelopeId, envelope, envelopeMessage, envelopeTask } from "./envelope-task.ts";
import { CONTENT_CATEGORY, EVENT_TYPE, progressOf, spokenIn } from "./progress.ts";
import type { SeenTask } from "./task-of.ts";
import { envelopeStateOf } from "./task-states.ts";

type Json = Readonly<Record<string, unknown>>;

type Source = {
  readonly id: EnvelopeId;
  readonly first: SeenTask;
  readonly events: AsyncIterable<RecordedEvent>;
  /** The task once its events are over; undefined where the reader left before. */
  readonly last: () => Promise<SeenTask | undefined>;
};

/**
 * A task as it unfolds, in frames of the envelope dialect. A run that pauses ends the stream as working: the dialect
 * has no word for it, and it is not completed.
 *
 * @source contract, a2a section 6.3
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
  const said = (text: string, category: string) =>
    frame("Message", id, { ...envelopeMessage(first, [text], { [CONTENT_CATEGORY]: category }) });
  let text = "";
  yield status("working", false);
  for await (const event of events) {
    const spoken = spokenIn(event, run_id);
    if (spoken.reasoning !== "") yield said(spoken.reasoning, "reasoning");
    if (spoken.text !== "") yield said(spoken.text, "content");
    text += spoken.text;
    const progress = progressOf(event);
    if (progress) yield status("working", false, progress);
  }
  const seen = await last();
  if (!seen) return;
  const { run } = seen;
  const whole = run.status === "COMPLETED" ? answerText(run.output.content) : "";
  if (text === "" && whole !== "") yield said(whole, "content");
  yield status(envelopeStateOf[run.status], true, cancellationOf(seen));
  const metrics = "metrics" in run.output ? run.output.metrics : undefined;
  yield frame("Task", id, envelopeTask(seen, { text: whole || text, metrics }));
}

const cancellationOf = ({ run, cancelled_because }: SeenTask): Json | undefined =>
  run.status === "CANCELLED"
    ? { [EVENT_TYPE]: "run_cancelled", ...(cancelled_because !== undefined && { reason: cancelled_because }) }
    : undefined;

const frame = (name: string, id: EnvelopeId, result: Json): string =>
  `event: ${name}\ndata: ${JSON.stringify(envelope(id, result))}\n\n`;
