import type { StateChanges } from "../../domain/sessions/state-changes.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";

/** A tool's answer as the model sees it, with its files. */
export type ToolAnswer = {
  readonly text: string;
  readonly failed: boolean;
  readonly media?: OutputMedia;
};

/**
 * The ledger's reply when a call is about to start:
 *
 * - `started`  the first start; it is recorded now
 * - `ended`    the call ended before, with this answer and these changes of the session's state
 * - `open`     the call was started `starts` times, and no end is recorded
 */
export type LedgerEntry =
  | { readonly state: "started" }
  | { readonly state: "ended"; readonly answer: ToolAnswer; readonly changes?: StateChanges | undefined }
  | { readonly state: "open"; readonly starts: number };

/**
 * The record of tool calls that must not happen twice, stored beside the run: a call is entered before it starts and
 * completed after it ended, so an entry without an end means that the call may have happened.
 *
 * The key of a call is its id within the run and a digest of what it would do.
 */
export type ToolLedger = {
  /** Enters a first start; of two concurrent ones, one gets `started`. */
  readonly start: (call: string) => Promise<LedgerEntry>;
  /** Enters one more start, which a person confirmed after `starts` of them. */
  readonly startAgain: (call: string, starts: number) => Promise<LedgerEntry>;
  readonly end: (call: string, answer: ToolAnswer, changes?: StateChanges) => Promise<void>;
};
