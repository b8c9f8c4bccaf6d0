import { describe, expect, test } from "vitest";
import type { LedgerEntry, ToolLedger } from "../../shared/engine/ports/engine-ports.ts";
import { admitCall } from "../../shared/engine/turn/call-tool.ts";

const answer = { text: "done", failed: false };
const started = { state: "started" } as const;
const ended = { state: "ended", answer } as const;
const open = (starts: number) => ({ state: "open", starts }) as const;

/** A ledger that gives these answers. */
const ledgerSaying = (first: LedgerEntry, again: LedgerEntry = started): ToolLedger => ({
  start: async () => first,
  startAgain: async () => again,
  end: async () => undefined,
});

const unasked = { confirmed: null };
const yesAfter = (starts: number) => ({ confirmed: true, in_doubt: starts });

const run = (starts: number) => ({ may: "run", starts });
const ask = (starts: number) => ({ may: "ask", starts });
const reuse = { may: "reuse", answer };

describe("whether a call may be made", () => {
  test.each([
    ["once", "that is not on record", unasked, started, run(1)],
    ["once", "that has ended", unasked, ended, reuse],
    ["once", "that is open", unasked, open(1), ask(1)],
    ["once", "that is open, confirmed before it was ever started", { confirmed: true }, open(1), ask(1)],
    ["once", "that is open, repeated by a person's word", yesAfter(1), open(1), run(2)],
    ["once", "that is open again after the repeat", yesAfter(1), open(2), ask(2)],
    ["once", "that has ended although it seemed open", yesAfter(1), ended, reuse],
    ["keyed", "that is not on record", unasked, started, run(1)],
    ["keyed", "that has ended", unasked, ended, reuse],
    ["keyed", "that is open", unasked, open(1), run(1)],
    ["safe", "whatever is on record", unasked, ended, run(1)],
  ] as const)("of effect %s, %s", async (effect, _, call, entry, admission) => {
    expect(await admitCall(call, "c1#d", effect, ledgerSaying(entry))).toEqual(admission);
  });

  test("twice by one word of a person: the second to come asks again", async () => {
    const ledger = ledgerSaying(open(1), open(2));
    expect(await admitCall(yesAfter(1), "c1#d", "once", ledger)).toEqual(ask(2));
  });
});
