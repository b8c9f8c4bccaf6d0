// Generated from the route table by `npm run routes`; do not edit.
export { createSchedule } from "./create-schedule.ts";
export { disableSchedule } from "./disable-schedule.ts";
export { enableSchedule } from "./enable-schedule.ts";
export { getSchedule } from "./get-schedule.ts";
export { getScheduleRun } from "./get-schedule-run.ts";
export { listScheduleRuns } from "./list-schedule-runs.ts";
export { listSchedules } from "./list-schedules.ts";
export { removeSchedule } from "./remove-schedule.ts";
export { triggerSchedule } from "./trigger-schedule.ts";
export { updateSchedule } from "./update-schedule.ts";
