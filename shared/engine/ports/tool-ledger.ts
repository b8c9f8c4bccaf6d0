import type { OutputMedia } from "../../schemas/runs/media.ts";

/** What a tool answered, as the model is told it, with the files that it gave. */
export type ToolAnswer = {
  readonly text: string;
  readonly failed: boolean;
  readonly media?: OutputMedia;
};

/**
 * What the ledger says to a call that wants to start:
 *
 * - `started`  nobody has started it before; it is on record now
 * - `ended`    it has happened, with this answer
 * - `open`     it was started so often, and no end is on record
 */
export type LedgerEntry =
  | { readonly state: "started" }
  | { readonly state: "ended"; readonly answer: ToolAnswer }
  | { readonly state: "open"; readonly starts: number };

/**
 * The record of tool calls that must not happen twice, kept beside the run: a call is entered before it starts and
 * completed after it ended, so whoever finds an entry without an end knows that it may have happened.
 *
 * A call is named by its id within the run and the digest of what it would do.
 */
export type ToolLedger = {
  /** Enters a first start; of two who try, one gets `started`. */
  readonly start: (call: string) => Promise<LedgerEntry>;
  /** Enters one more start, for a person who has said so after `starts` of them. */
  readonly startAgain: (call: string, starts: number) => Promise<LedgerEntry>;
  readonly end: (call: string, answer: ToolAnswer) => Promise<void>;
};
