import type { Principal } from "../../../shared/auth/principal.ts";
import type { EventFrames, FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { inOrder } from "../../../shared/runtime/promises.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { isEndOf } from "../../../shared/stores/runs/event-base.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { eventWithAddresses } from "../with-addresses.ts";
import { runEnds } from "./run-ends.ts";
import { type UiChunk, uiChunks } from "./ui-chunks.ts";

/** What a client has of the run's message already. */
export type Had = {
  readonly shownCalls: ReadonlySet<string>;
  readonly answeredCalls: ReadonlySet<string>;
  /** No event says of these that they were refused. */
  readonly deniedCalls: readonly string[];
};
const nothingHad: Had = { shownCalls: new Set(), answeredCalls: new Set(), deniedCalls: [] };

type Needs = Pick<RunsDeps, "db" | "clock" | "log" | "settings">;

/** The header by which clients of the AI SDK know its stream. */
export const UI_STREAM = { "x-vercel-ai-ui-message-stream": "v1" };

const DONE = "data: [DONE]\n\n";
const framesOf = (chunks: readonly UiChunk[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

const liveStatuses: ReadonlySet<StoredRun["status"]> = new Set(["PENDING", "RUNNING"]);

/** The events of one run as chunks of a UI message stream: one message, whose id is the run's. */
export const uiFrames =
  (principal: Principal, deps: Needs, had: Had = nothingHad) =>
  (run: FramedRun): EventFrames => {
    const { run_id, session_id, owner } = run;
    const chunks = uiChunks({ run_id, ...had });
    const next = inOrder();
    let hasEnded = false;
    const stored = async (): Promise<StoredRun | undefined> =>
      owner === undefined
        ? undefined
        : getRun(deps.db, { owner, session_id, run_id }, epochSeconds(deps.clock));
    const ends = runEnds(run, chunks, principal, deps);
    const end = async (event?: RecordedEvent): Promise<string> => {
      if (hasEnded) return "";
      const record = await stored();
      if (!record) {
        hasEnded = true;
        const text = event && "content" in event ? String(event.content) : "There is no such run.";
        return framesOf(ends.neverBegun(text)) + DONE;
      }
      // A pause that was answered since; what follows is in the record too.
      if (event && /Paused$/.test(event.event) && record.status !== "PAUSED")
        return framesOf(ends.answeredPause(event, record));
      // The end is recorded with its last event; a run that is live by then has another attempt before it.
      if (event && liveStatuses.has(record.status)) return "";
      hasEnded = true;
      return framesOf(await ends.of(record)) + DONE;
    };
    const of = async (event: RecordedEvent): Promise<string> => {
      if (hasEnded || event.event === "WorkflowRunOutput") return "";
      const shown = framesOf(chunks.of(await eventWithAddresses(event, deps)));
      return isEndOf(run_id, event) ? shown + (await end(event)) : shown;
    };
    return {
      opening: async () =>
        framesOf([
          { type: "start", messageId: run_id, messageMetadata: { run_id, session_id } },
          ...had.deniedCalls.map((toolCallId) => ({ type: "tool-output-denied", toolCallId })),
        ]),
      of: (event) => next(() => of(event)),
      voided: (from) => next(async () => (hasEnded ? "" : framesOf(chunks.voided(from)))),
      goesOn: () => next(() => (hasEnded ? "" : end())),
      closing: () => next(() => end()),
    };
  };
