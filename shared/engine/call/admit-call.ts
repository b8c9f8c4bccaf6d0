import type { StateChanges } from "../../domain/sessions/state-changes.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { LedgerEntry, ToolAnswer, ToolLedger } from "../ports/tool-ledger.ts";
import type { Tool } from "../tool/tool.ts";

/** Whether a tool call may be made now. `starts` counts this one. */
export type Admission =
  | { readonly may: "run"; readonly starts: number }
  /** It ended before, with this answer, and with these changes of the session's state. */
  | { readonly may: "reuse"; readonly answer: ToolAnswer; readonly changes?: StateChanges | undefined }
  /** It may have been made before: a person has to decide. */
  | { readonly may: "ask"; readonly starts: number };

/**
 * Checks the ledger before a call is made.
 *
 *   effect   not on record   ended            started, no end
 *   safe     run             (never entered)
 *   keyed    run             reuse its answer   run, under the same key
 *   once     run             reuse its answer   ask; run once more for each time a person confirms
 *
 * A person's confirmation counts for the start that was in doubt (`in_doubt`), not for a later one.
 */
export async function admitCall(
  call: Pick<ToolExecution, "in_doubt" | "confirmed">,
  key: string,
  effect: Tool["effect"],
  ledger: ToolLedger | undefined,
): Promise<Admission> {
  if (effect === "safe" || !ledger) return { may: "run", starts: 1 };
  const first = await ledger.start(key);
  if (first.state !== "open") return admission(first, 1);
  if (effect === "keyed") return { may: "run", starts: first.starts };
  if (call.in_doubt !== first.starts || call.confirmed !== true) return { may: "ask", starts: first.starts };
  return admission(await ledger.startAgain(key, first.starts), first.starts + 1);
}

function admission(entry: LedgerEntry, starts: number): Admission {
  switch (entry.state) {
    case "started":
      return { may: "run", starts };
    case "ended":
      return { may: "reuse", answer: entry.answer, changes: entry.changes };
    case "open":
      return { may: "ask", starts: entry.starts };
  }
}
