import { nextRunAt } from "../../shared/domain/cron/next-run-at.ts";
import type { Timing } from "../../shared/domain/cron/timing-of.ts";
import { planFiring } from "../../shared/domain/schedules/plan-firing.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { disableForGood } from "../../shared/scheduler/disable-for-good.ts";
import type { OverlapPolicy, ScheduleMessage } from "../../shared/schemas/schedules/schedule.ts";
import {
  callingRun,
  getSchedule,
  newScheduleRun,
  openScheduleRun,
  queueScheduleRun,
  refOf,
  type Slot,
  type StoredSchedule,
  type StoredScheduleRun,
  slotAt,
  slotNotRun,
} from "../../shared/stores/schedules/index.ts";
import { callAndRecord } from "./call-and-record.ts";
import type { ExecutorDeps } from "./executor-deps.ts";
import { processDueRun } from "./process-due-run.ts";

/** Slots of one schedule that may wait behind each other; more are skipped. */
const MOST_WAITING = 100;
const BUSY = "the run before it was still going on";

/**
 * Handles a slot that is due. The key of its record follows from the slot, so however often the slot is delivered,
 * there is one record; a second delivery continues what the first one left.
 *
 *   schedule removed, or its times replaced ─▶ nothing
 *   disabled, late    ─▶ a row that says so
 *   drifted           ─▶ a failed row, and the schedule is disabled
 *   otherwise         ─▶ its turn? ─▶ call
 *                              └ no ─▶ skipped, or queued behind the others
 *
 * @throws on a fault of the store or the network: the message comes back
 */
export async function fireSlot(deps: ExecutorDeps, message: ScheduleMessage): Promise<void> {
  const { schedule_id, scheduled_time } = message;
  const schedule = await getSchedule(deps.db, schedule_id);
  if (!schedule || !isOwnSlot(schedule, message)) {
    return deps.log.info("a slot belongs to no schedule", { schedule_id, scheduled_time });
  }
  const now = epochSeconds(deps.clock);
  const at = Math.floor(Date.parse(scheduled_time) / 1000);
  const slot = slotAt(schedule_id, at);
  const plan = planFiring(schedule, at, nextRunAt(schedule, at), now);
  if (plan.plan === "start") return start(deps, schedule, slot, plan.overlap);
  await recordUnrun(deps, slotNotRun(schedule, slot, unrunStatus[plan.plan], plan.reason, now));
  if (plan.plan === "refuse") await disableForGood(deps, schedule, plan.disabledReason);
}

const unrunStatus = { miss: "missed", skip: "skipped", refuse: "failed" } as const;

async function start(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  slot: Slot,
  overlap: OverlapPolicy,
): Promise<void> {
  const now = epochSeconds(deps.clock);
  const run = callingRun(schedule, slot, now);
  const claimed = overlap === "allow" ? run : { ...run, holds_turn: true as const };
  const opened = await openScheduleRun(deps.db, claimed);
  if (opened.opened) {
    const step = await callAndRecord(deps, schedule, claimed);
    return step === "done" ? undefined : processDueRun(deps, step);
  }
  if (opened.because === "exists") return processDueRun(deps, refOf(opened.seen));
  if (opened.because === "schedule_gone") return;
  if (overlap === "skip") return recordUnrun(deps, slotNotRun(schedule, slot, "skipped", BUSY, now));
  const queued = await queueScheduleRun(deps.db, newScheduleRun(schedule, slot, "queued"), MOST_WAITING);
  if (queued.opened) return;
  if (queued.because === "full") {
    const reason = `${MOST_WAITING} slots were waiting before it`;
    return recordUnrun(deps, slotNotRun(schedule, slot, "skipped", reason, now));
  }
  // The turn was passed on, or became free, at this moment.
  if (queued.because !== "exists" && queued.because !== "schedule_gone")
    return start(deps, schedule, slot, overlap);
}

/** Records a slot that is not run. Where it has a record already, that one stays. */
async function recordUnrun(deps: ExecutorDeps, run: StoredScheduleRun): Promise<void> {
  const recorded = await openScheduleRun(deps.db, run);
  if (recorded.opened)
    deps.log.info("a slot was not run", { schedule_id: run.schedule_id, because: run.error });
}

type Planned = Timing & { readonly enabled: boolean; readonly plan_id: string };

/**
 * Whether a message is for a slot of the schedule as it is now. What the scheduler sends by an older plan, because the
 * times were changed or its entries could not be removed yet, is not; unless it is a slot of the present plan too,
 * whose entries were then created too late to send it.
 */
export function isOwnSlot(schedule: Planned, { plan_id, scheduled_time }: ScheduleMessage): boolean {
  if (plan_id === undefined || plan_id === schedule.plan_id) return true;
  const at = Math.floor(Date.parse(scheduled_time) / 1000);
  return schedule.enabled && nextRunAt(schedule, at - 1) === at;
}
