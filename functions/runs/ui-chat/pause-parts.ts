import { holdsApproving } from "../../../shared/auth/may-approve.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { type OpenInterrupt, openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import { ownRequests, type RunsDeps } from "../../../shared/runs/index.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

/** How a client of this interface answers something that a run waits for. */
export type PausePart =
  /** With the output of a tool that it executes. */
  | { readonly kind: "tool"; readonly open: OpenInterrupt; readonly call: Call }
  /** With a yes or a no. */
  | { readonly kind: "approval"; readonly open: OpenInterrupt; readonly call: Call }
  /** Elsewhere. */
  | { readonly kind: "other"; readonly open: OpenInterrupt };

type Call = NonNullable<OpenInterrupt["call"]>;

/** What a paused run waits for. An approval that this caller may not give is decided elsewhere. */
export async function pauseParts(
  run: StoredRun,
  principal: Principal,
  { db, settings: { APPROVERS } }: Pick<RunsDeps, "db" | "settings">,
): Promise<PausePart[]> {
  const open = openInterrupts(run);
  const isApproval = open.some(({ interrupt }) => interrupt.reason === "approval");
  const mayApprove =
    isApproval &&
    holdsApproving(principal) &&
    !(await ownRequests(db, principal, [run.owner], APPROVERS))(run.owner);
  return open.map((one): PausePart => {
    const { call, interrupt } = one;
    if (!call) return { kind: "other", open: one };
    if (interrupt.reason === "external_execution") return { kind: "tool", open: one, call };
    const isAsked = interrupt.reason === "confirmation" || (interrupt.reason === "approval" && mayApprove);
    return isAsked ? { kind: "approval", open: one, call } : { kind: "other", open: one };
  });
}

/** The data of a question that is answered elsewhere. */
export const interruptData = ({ interrupt, call, review }: OpenInterrupt): object => ({
  ...interrupt,
  ...(call && { call }),
  ...(review !== undefined && { review }),
});
