import type { Db } from "../../stores/db.ts";
import { type CallStarted, endCall, startCall, startCallAgain } from "../../stores/runs/tool-calls.ts";
import type { LedgerEntry, ToolLedger } from "../ports/tool-ledger.ts";

/** The ledger of a run's tool calls, in the store. @param newId gives each start its id */
export function connectToolLedger(db: Db, runId: string, newId: () => string): ToolLedger {
  return {
    start: async (call) => entryOf(await startCall(db, runId, call, newId())),
    startAgain: async (call, starts) => entryOf(await startCallAgain(db, runId, call, starts, newId())),
    end: (call, answer, changes) => endCall(db, runId, call, { ...answer, changes }),
  };
}

function entryOf(started: CallStarted): LedgerEntry {
  if (started.started) return { state: "started" };
  const { starts, answer } = started.seen;
  if (!answer) return { state: "open", starts };
  const { changes, ...given } = answer;
  return { state: "ended", answer: given, changes };
}
