import * as v from "valibot";
import { integer, jsonObject } from "../schemas/fields.ts";
import { OverlapPolicy, Schedule, ScheduleMethod } from "../schemas/schedule.ts";
import type { RouteTable } from "./route.ts";

const ScheduleParams = v.object({ schedule_id: v.string() });

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(255), v.regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/));
const isPath = (endpoint: string): boolean => endpoint.startsWith("/") && !endpoint.includes("://");
/** Blank, or a control character. */
const UNPRINTABLE = /[\s\p{Cc}]/u;
const Endpoint = v.pipe(
  v.string(),
  v.maxLength(512),
  v.check(isPath, "endpoint must be a path of this service that begins with / and names no other host"),
  v.check((endpoint) => !UNPRINTABLE.test(endpoint), "endpoint must not hold blanks or control characters"),
);
const MethodText = v.pipe(v.string(), v.maxLength(10), v.toUpperCase(), ScheduleMethod);
const CronExpression = v.pipe(v.string(), v.maxLength(128));
const Timezone = v.pipe(v.string(), v.maxLength(64));
const Description = v.pipe(v.string(), v.maxLength(1024));

const TimeoutSeconds = integer({ min: 1, max: 86_400 });
const MaxRetries = integer({ min: 0, max: 10 });
const RetryDelaySeconds = integer({ min: 1, max: 3600 });

/** @source contract, schedules section 3; `overlap` is ours */
export const CreateScheduleBody = v.object({
  name: Name,
  cron_expr: CronExpression,
  endpoint: Endpoint,
  method: v.optional(MethodText, "POST"),
  description: v.nullish(Description, null),
  payload: v.nullish(jsonObject(), {}),
  timezone: v.optional(Timezone, "UTC"),
  timeout_seconds: v.optional(TimeoutSeconds, 3600),
  max_retries: v.optional(MaxRetries, 0),
  retry_delay_seconds: v.optional(RetryDelaySeconds, 60),
  overlap: v.optional(OverlapPolicy, "skip"),
});
export type CreateScheduleBody = v.InferOutput<typeof CreateScheduleBody>;

/** @source contract, schedules section 1 */
export const scheduleRoutes = {
  createSchedule: {
    method: "POST",
    path: "/schedules",
    scopes: ["schedules:write"],
    body: { json: CreateScheduleBody },
    status: 201,
    response: Schedule,
    summary: "Have an endpoint of this service called at fixed times",
  },
  getSchedule: {
    method: "GET",
    path: "/schedules/{schedule_id}",
    scopes: ["schedules:read"],
    params: ScheduleParams,
    response: Schedule,
    summary: "Show one schedule",
  },
} as const satisfies RouteTable;
