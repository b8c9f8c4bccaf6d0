import { ServiceError } from "../../../shared/errors.ts";
import { openaiError } from "../../../shared/http/openai-refusal.ts";
import type { Component, EventFrames, FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { inOrder } from "../../../shared/runtime/promises.ts";
import type { ResponseObject } from "../../../shared/schemas/openai/response.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { isBeginningOf, isEndOf } from "../../../shared/stores/runs/event-base.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { modelName } from "./model-names.ts";
import { RESPONSE, responseOf } from "./response-of.ts";
import { addressOf } from "./run-address.ts";
import { type ResponseEvent, streamedItems } from "./streamed-items.ts";

type Asked = {
  readonly component: Component;
  readonly origin: string;
  /** Whether the queue executes the run. */
  readonly isQueued: boolean;
  /** The last event that the client has; those up to it are left out. */
  readonly after?: number | undefined;
};

/** What one event of a run becomes has so many numbers; the opening has those below. */
const NUMBERS_OF_EVENT = 1_000;

/**
 * The events of one run as those of a response. The number of each follows from the recorded event that it comes from, so that
 * every stream of a run has the same ones.
 */
export const responseFrames =
  ({ component, origin, isQueued, after = -1 }: Asked, { db, clock }: Pick<RunsDeps, "db" | "clock">) =>
  (run: FramedRun): EventFrames => {
    const { run_id, session_id, owner } = run;
    const streamed = streamedItems({ component, session_id, run_id });
    let hasBegun = false;
    let hasEnded = false;
    let lastIndex = -1;
    const next = inOrder();
    const framesOf = (events: readonly ResponseEvent[], from: number): string =>
      events
        .map((event, i) => ({ ...event, sequence_number: from + i }))
        .filter(({ sequence_number }) => sequence_number > after)
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join("");
    const numbered = (event: RecordedEvent, events: readonly ResponseEvent[]): string =>
      framesOf(events, (event.event_index + 1) * NUMBERS_OF_EVENT);
    const stored = async (): Promise<StoredRun | undefined> =>
      owner === undefined ? undefined : getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
    const begun = async (): Promise<ResponseObject> => {
      const record = await stored();
      const shown = record
        ? await responseOf(db, record, origin)
        : unknownYet({ component, session_id, run_id }, epochSeconds(clock));
      const empty = { output: [], usage: null, error: null, incomplete_details: null };
      return { ...shown, ...empty, status: isQueued ? "queued" : "in_progress" };
    };
    const failed = (error: ServiceError): string => {
      const { body } = openaiError(error);
      return `event: error\ndata: ${JSON.stringify({ ...body.error, ...body, type: "error" })}\n\n`;
    };
    const end = async (event?: RecordedEvent): Promise<string> => {
      if (hasEnded) return "";
      hasEnded = true;
      const record = await stored();
      if (!record) {
        const said = event && "content" in event ? String(event.content) : "there is no such run";
        return failed(new ServiceError("BAD_REQUEST", said));
      }
      const whole = await responseOf(db, record, origin);
      // It goes on without this stream; who asks for its id later gets the rest.
      if (whole.status === "queued" || whole.status === "in_progress") return "";
      const rest = whole.output.filter(({ type }) =>
        type === "message"
          ? !streamed.hasText() || record.status === "PAUSED"
          : type !== "mcp_call" && type !== "reasoning",
      );
      const closed = streamed.close(record.status === "ERROR" ? "incomplete" : "completed");
      const added = rest.flatMap(streamed.add);
      const response = { ...whole, output: streamed.items };
      const last = { type: endings[whole.status], response };
      return framesOf([...closed, ...added, last], (lastIndex + 1) * NUMBERS_OF_EVENT);
    };
    const of = async (event: RecordedEvent): Promise<string> => {
      if (hasEnded) return "";
      if (event.event_index >= 0) lastIndex = event.event_index;
      if (isEndOf(run_id, event)) return end(event);
      if (!isBeginningOf(run_id, event)) return numbered(event, streamed.of(event));
      // What an attempt before has said cannot be taken back; the new one begins items of its own.
      const isAnother = hasBegun;
      hasBegun = true;
      return isAnother ? numbered(event, streamed.close("incomplete")) : "";
    };
    return {
      opening: async () => {
        const response = await begun();
        const waits = { type: isQueued ? "response.queued" : "response.in_progress", response };
        return framesOf([{ type: "response.created", response }, waits], 0);
      },
      of: (event) => next(() => of(event)),
      goesOn: () => next(() => GOES_ON),
      closing: () => next(() => end()),
    };
  };

/** A comment: the stream ends without an end of the response, and the client asks for its id again. */
const GOES_ON = ": the response goes on; retrieve it with stream to follow it\n\n";

/** How a stream ends; there is no event for one that was cancelled. */
const endings = {
  completed: "response.completed",
  failed: "response.failed",
  incomplete: "response.incomplete",
  cancelled: "response.incomplete",
} as const;

/** A response of which there is no record yet. */
const unknownYet = (
  { component, session_id, run_id }: { component: Component; session_id: string; run_id: string },
  created_at: number,
): ResponseObject => ({
  id: addressOf(RESPONSE, { component, session_id, run_id }),
  ...{ object: "response", created_at, status: "in_progress", background: false, error: null },
  ...{ incomplete_details: null, instructions: null, model: modelName(component), output: [] },
  ...{ parallel_tool_calls: true, previous_response_id: null, conversation: { id: session_id } },
  ...{ store: true, tool_choice: "auto", tools: [], metadata: {}, usage: null },
});
