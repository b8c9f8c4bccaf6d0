import type { scheduleRoutes } from "../../routes/schedules.ts";
import type { Schedule } from "../../schemas/schedules/schedule.ts";
import type { ScheduleRun } from "../../schemas/schedules/schedule-run.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const schedule: Schedule = {
  id: pathExamples.schedule_id,
  user_id: "maria",
  name: "Monday report",
  description: null,
  method: "POST",
  endpoint: "/agents/assistant/runs",
  payload: { message: "Write the weekly report." },
  cron_expr: "0 9 * * 1",
  timezone: "Europe/Oslo",
  timeout_seconds: 3600,
  max_retries: 2,
  retry_delay_seconds: 60,
  overlap: "skip",
  enabled: true,
  next_run_at: 1773043200,
  managed_by: null,
  target_type: "agent",
  target_id: "assistant",
  disabled_reason: null,
  created_at: 1772615700,
  updated_at: null,
};
const state = {
  id: schedule.id,
  name: schedule.name,
  enabled: true,
  next_run_at: schedule.next_run_at,
  updated_at: 1772615700,
};
const run: ScheduleRun = {
  id: "0191f3a2-8b77-7c11-8d2e-6f5e4d3c2b1a",
  schedule_id: schedule.id,
  user_id: "maria",
  attempt: 1,
  triggered_at: 1773043200,
  completed_at: 1773043212,
  status: "success",
  status_code: 200,
  run_id: pathExamples.run_id,
  session_id: pathExamples.session_id,
  error: null,
  input: { input_content: "Write the weekly report." },
  output: { content: "Sales rose by 4 %.", content_type: "str" },
  requirements: null,
  created_at: 1773043200,
};

export const scheduleExamples: ExamplesOf<typeof scheduleRoutes> = {
  listSchedules: { query: { enabled: true, limit: 20 }, answer: pageWith(schedule) },
  createSchedule: {
    body: {
      name: "Monday report",
      cron_expr: "0 9 * * 1",
      timezone: "Europe/Oslo",
      endpoint: "/agents/assistant/runs",
      payload: { message: "Write the weekly report." },
      max_retries: 2,
    },
    answer: schedule,
  },
  getSchedule: { answer: schedule },
  updateSchedule: { body: { cron_expr: "0 7 * * 1" }, answer: { ...schedule, cron_expr: "0 7 * * 1" } },
  removeSchedule: {},
  enableSchedule: { answer: state },
  disableSchedule: { answer: { ...state, enabled: false } },
  triggerSchedule: { answer: run },
  listScheduleRuns: { query: { limit: 20 }, answer: pageWith(run) },
  getScheduleRun: { path: { run_id: run.id }, answer: run },
};
