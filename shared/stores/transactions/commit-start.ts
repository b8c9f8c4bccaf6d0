import { type ForegroundSlot, takeSlot } from "../budgets/foreground-slots.ts";
import type { Db } from "../db.ts";
import type { ToldChanges } from "../outbox/change-event.ts";
import { transact, type Write } from "../transact.ts";
import type { Started } from "./started.ts";

type Start = {
  /** What the start itself writes, in the given try; as many in each. */
  readonly writes: (tryNumber: number) => readonly Write[];
  /** Absent where the user has no limit. */
  readonly slot?: ForegroundSlot | undefined;
  /** Entries that nothing refuses. */
  readonly watch: readonly Write[];
  readonly told: ToldChanges;
  /** Epoch seconds. */
  readonly now: number;
};

/** Writes that an execution starts or goes on, all or nothing, and tells of it. */
export async function commitStart(db: Db, { writes, slot, watch, told, now }: Start): Promise<Started> {
  const result = await transact(db, (tryNumber) => [
    ...writes(tryNumber),
    ...(slot ? [takeSlot(db, slot, now)] : []),
    ...watch,
    ...told.entries,
  ]);
  if (result.written) {
    await told.wake();
    return result;
  }
  return { written: false, because: result.entry < writes(0).length ? "changed" : "slot_taken" };
}
