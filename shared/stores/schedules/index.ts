export { changeSchedule } from "./change-schedule.ts";
export { getComparison, putComparison } from "./comparison.ts";
export { createSchedule } from "./create-schedule.ts";
export { disabledBy, disableSchedulesOf, disableSchedulesOfOwner } from "./disable-schedules.ts";
export { isNameTaken, listSchedules } from "./list-schedules.ts";
export { purgeRemoved, removeSchedule } from "./remove-schedule.ts";
export { latestScheduleRuns, listScheduleRuns, listSlotsOnRecord } from "./runs/list-schedule-runs.ts";
export { type EndingMove, endScheduleRun, moveScheduleRun } from "./runs/move-run.ts";
export {
  callingRun,
  newScheduleRun,
  openNextAttempt,
  openScheduleRun,
  queueScheduleRun,
  removeUnstarted,
  slotNotRun,
  triggeredRun,
} from "./runs/new-run.ts";
export { purgeScheduleRun } from "./runs/purge-schedule-run.ts";
export {
  getScheduleRun,
  refOf,
  type StoredScheduleRun,
  scheduleRunWork,
  wireScheduleRun,
} from "./runs/run-item.ts";
export { AHEAD_SECONDS, type Slot, slotAt } from "./runs/run-keys.ts";
export { type ScheduleRunChange, scheduleRunUpdate } from "./runs/run-update.ts";
export { getSchedule, type StoredSchedule, scheduleListing, schedulePartition } from "./schedule-item.ts";
