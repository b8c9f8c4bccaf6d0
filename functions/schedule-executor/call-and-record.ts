import type { OwnerRefusal } from "../../shared/auth/schedules/owner-refusal.ts";
import { type CallOutcome, readCallAnswer } from "../../shared/domain/schedules/call-answer.ts";
import { scheduleCall } from "../../shared/domain/schedules/schedule-call.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { disableForGood } from "../../shared/scheduler/disable-for-good.ts";
import {
  moveScheduleRun,
  refOf,
  type StoredSchedule,
  type StoredScheduleRun,
} from "../../shared/stores/schedules/index.ts";
import { endSlot, failAttempt, wakeAt } from "./end-attempt.ts";
import type { ExecutorDeps, Step } from "./executor-deps.ts";

/**
 * Calls the endpoint for an attempt that this process has claimed, and records the result. Nothing waits for a run that
 * was started: its last transaction reports the end to the attempt. Whether the owner may still call is asked here, where
 * slots, queued ones, retries and triggers all pass.
 *
 * @throws on a fault of the store, or of the network while a run is started: the message comes back, and the call is
 *         made again under the same key
 */
export async function callAndRecord(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
): Promise<Step> {
  const refusal = await deps.ownerRefusalOf(schedule);
  if (refusal) return refuse(deps, schedule, run, refusal);
  const call = scheduleCall(schedule, run.id);
  const { user_id: owner, timeout_seconds } = schedule;
  const answer = await deps.call({ call, ref: refOf(run), owner, timeout_seconds });
  return record(deps, schedule, run, readCallAnswer(call.kind, answer));
}

/** Disables the schedule before its turn is passed on, so that a slot that waits behind this one is not called. */
async function refuse(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
  { reason, error }: OwnerRefusal,
): Promise<Step> {
  await disableForGood(deps, schedule, reason);
  return endSlot(deps, run, "fail", { status_code: 403, error });
}

async function record(
  deps: ExecutorDeps,
  schedule: StoredSchedule,
  run: StoredScheduleRun,
  outcome: CallOutcome,
): Promise<Step> {
  switch (outcome.outcome) {
    case "started":
      return follow(deps, schedule, run, outcome);
    case "success":
      return endSlot(deps, run, "succeed", { status_code: outcome.status_code });
    case "failed":
      return failAttempt(deps, schedule, run, { status_code: outcome.status_code, error: outcome.error });
  }
}

/** The run may have ended before this process could record that it started. */
async function follow(
  deps: ExecutorDeps,
  { timeout_seconds }: StoredSchedule,
  run: StoredScheduleRun,
  { run_id, session_id }: Extract<CallOutcome, { outcome: "started" }>,
): Promise<Step> {
  const due_at = epochSeconds(deps.clock) + timeout_seconds;
  const followed = await moveScheduleRun(deps.db, run, "follow", { run_id, session_id, due_at });
  if (!followed) return refOf(run);
  // The run may take longer than the schedule allows.
  await wakeAt(deps, run, due_at);
  return "done";
}
