import { type Part, transact } from "../../data/transact.ts";
import { type ForegroundSlot, takeSlot } from "../budgets/foreground-slots.ts";
import type { Db } from "../db.ts";
import type { Publication } from "../outbox/change-event.ts";
import type { Started } from "./started.ts";

type Start = {
  /** What the start itself writes, in the given try. */
  readonly writes: (tryNumber: number) => Part;
  /** Absent where the user has no limit. */
  readonly slot?: ForegroundSlot | undefined;
  /** Nothing refuses this. */
  readonly watch: Part;
  readonly publication: Publication;
  /** Epoch seconds. */
  readonly now: number;
};

/** Writes that an execution starts or goes on, all or nothing, and tells of it. */
export async function commitStart(
  db: Db,
  { writes, slot, watch, publication, now }: Start,
): Promise<Started> {
  const result = await transact(db, (tryNumber) => ({
    start: writes(tryNumber),
    slot: slot && takeSlot(slot, now),
    watch,
    publication: publication.entries,
  }));
  if (result.written) {
    await publication.wake();
    return result;
  }
  return { written: false, because: result.refused === "start" ? "changed" : "slot_taken" };
}
