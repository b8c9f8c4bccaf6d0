import type { OverlapPolicy, Schedule } from "../../schemas/schedules/schedule.ts";
import { driftOf, type Managed } from "./is-drifted.ts";

/** What happens with a slot that is due. */
export type FiringPlan =
  | { readonly plan: "start"; readonly overlap: OverlapPolicy }
  | { readonly plan: "miss" | "skip"; readonly reason: string }
  /** A managed schedule that would call something else than it was created for. */
  | { readonly plan: "refuse"; readonly reason: string; readonly disabledReason: string };

/**
 * A slot that is late by no more than this is always run. The scheduler itself takes up to a minute, and the message
 * needs time too.
 */
export const FIRING_TOLERANCE_SECONDS = 120;

/**
 * Decides what happens with a slot. A late one is run as long as no later one is due: a nightly report that is an hour
 * late is still wanted. After downtime the latest slot is run, and those before it are missed.
 *
 * @param slotAt    when it was due; epoch seconds
 * @param nextSlot  the slot after it by the schedule's present times; epoch seconds, null when there is none
 * @param now       epoch seconds
 */
export function planFiring(
  schedule: Managed & Pick<Schedule, "enabled" | "overlap">,
  slotAt: number,
  nextSlot: number | null,
  now: number,
): FiringPlan {
  if (!schedule.enabled) return { plan: "skip", reason: "the schedule was disabled when this slot came" };
  const late = now - slotAt;
  if (late > FIRING_TOLERANCE_SECONDS && nextSlot !== null && nextSlot <= now) {
    return { plan: "miss", reason: `the slot came ${late} seconds late, after a later one was due` };
  }
  const drift = driftOf(schedule);
  return drift ? { plan: "refuse", ...drift } : { plan: "start", overlap: schedule.overlap };
}
