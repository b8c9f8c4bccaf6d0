import * as v from "valibot";
import { cronProblem } from "../domain/cron/cron-problem.ts";
import { canonicalZone } from "../domain/cron/time-zone.ts";
import { ON_DEMAND } from "../domain/cron/timing-of.ts";
import {
  ListedSchedule,
  OverlapPolicy,
  Schedule,
  ScheduleMethod,
  ScheduleState,
} from "../schemas/schedules/schedule.ts";
import { ScheduleRun } from "../schemas/schedules/schedule-run.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { booleanText, integer, integerText } from "../schemas/values/fields.ts";
import { knownMembers } from "../schemas/values/known-members.ts";
import { maxChars } from "../schemas/values/max-chars.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { storableObject } from "../schemas/values/storable-object.ts";
import type { RouteTable } from "./route.ts";

const ScheduleParams = v.object({ schedule_id: idOf("the schedule") });

const Name = v.pipe(v.string(), v.minLength(1), maxChars(255), v.regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/));
const isPath = (endpoint: string): boolean => endpoint.startsWith("/") && !endpoint.includes("://");
/** Blank, or a control character. */
const UNPRINTABLE = /[\s\p{Cc}]/u;
const Endpoint = v.pipe(
  v.string(),
  maxChars(512),
  v.check(isPath, "endpoint must be a path of this service that begins with / and names no other host"),
  v.check((endpoint) => !UNPRINTABLE.test(endpoint), "endpoint must not hold blanks or control characters"),
  v.metadata({ jsonSchema: (converted: object) => ({ ...converted, pattern: "^/\\S*$" }) }),
);
const MethodText = v.pipe(v.string(), maxChars(10), v.toUpperCase(), ScheduleMethod);
const CronExpression = v.pipe(
  v.string(),
  maxChars(128),
  v.check(
    (text) => text === ON_DEMAND || cronProblem(text) === undefined,
    ({ input }) => cronProblem(String(input)) ?? "",
  ),
);
const Timezone = v.pipe(
  v.string(),
  maxChars(64),
  v.check(
    (name) => canonicalZone(name) !== undefined,
    ({ input }) => `timezone "${input}" is no name of the IANA time zone database`,
  ),
);
/** Limited because it is stored in the schedule's item, which lists read. */
const Payload = storableObject(100_000);
const Description = v.pipe(v.string(), maxChars(1024));

const TimeoutSeconds = integer({ min: 1, max: 86_400 });
const MaxRetries = integer({ min: 0, max: 10 });
const RetryDelaySeconds = integer({ min: 1, max: 3600 });

/** Clients may send back what an answer shows; what is no setting changes nothing. */
const shownMembers = Object.keys(Schedule.entries);

/** @source docs/interface/schedules.md 2.3; `overlap` is ours */
export const CreateScheduleBody = knownMembers(
  {
    name: meaning(Name, "What the schedule is called, unique"),
    /** Without it, or empty, only `trigger` runs the schedule. */
    cron_expr: meaning(
      v.optional(CronExpression, ON_DEMAND),
      "When it fires; without it only a trigger runs it",
    ),
    endpoint: meaning(Endpoint, "The path of this service that is called"),
    method: meaning(v.optional(MethodText, "POST"), "The method that it is called with"),
    description: meaning(v.nullish(Description, null), "What it is for"),
    payload: meaning(v.nullish(Payload, {}), "The body that is sent, or the fields of a form"),
    timezone: meaning(v.optional(Timezone, "UTC"), "The time zone of cron_expr, by its IANA name"),
    timeout_seconds: meaning(v.optional(TimeoutSeconds, 3600), "How long a run may take"),
    max_retries: meaning(v.optional(MaxRetries, 0), "How often a failed run is tried again"),
    retry_delay_seconds: meaning(v.optional(RetryDelaySeconds, 60), "How long it waits before that"),
    overlap: meaning(
      v.optional(OverlapPolicy, "skip"),
      "What becomes of a run that is due while the one before it goes on",
    ),
  },
  shownMembers,
);
export type CreateScheduleBody = v.InferOutput<typeof CreateScheduleBody>;

/** Absent fields stay as they are; an empty body changes nothing. */
export const UpdateScheduleBody = knownMembers(
  {
    name: meaning(v.exactOptional(Name), "What the schedule is called, unique"),
    cron_expr: meaning(v.exactOptional(CronExpression), "When it fires; without it only a trigger runs it"),
    endpoint: meaning(v.exactOptional(Endpoint), "The path of this service that is called"),
    method: meaning(v.exactOptional(MethodText), "The method that it is called with"),
    description: meaning(v.nullish(Description), "What it is for"),
    payload: meaning(v.nullish(Payload), "The body that is sent, or the fields of a form"),
    timezone: meaning(v.exactOptional(Timezone), "The time zone of cron_expr, by its IANA name"),
    timeout_seconds: meaning(v.exactOptional(TimeoutSeconds), "How long a run may take"),
    max_retries: meaning(v.exactOptional(MaxRetries), "How often a failed run is tried again"),
    retry_delay_seconds: meaning(v.exactOptional(RetryDelaySeconds), "How long it waits before that"),
    overlap: meaning(
      v.exactOptional(OverlapPolicy),
      "What becomes of a run that is due while the one before it goes on",
    ),
  },
  shownMembers,
);
export type UpdateScheduleBody = v.InferOutput<typeof UpdateScheduleBody>;

const PageQuery = pageQuery(1000, { limit: "100" });

/** @source docs/interface/schedules.md 1.1 */
export const scheduleRoutes = {
  listSchedules: {
    method: "GET",
    path: "/schedules",
    scopes: ["schedules:read"],
    query: v.object({
      enabled: meaning(v.optional(booleanText()), "Only those that are enabled, or that are not"),
      latest_runs: meaning(
        v.optional(integerText({ min: 0, max: 20 }), "0"),
        "How many of its newest attempts each schedule is shown with",
      ),
      ...PageQuery,
    }),
    response: pageOf(ListedSchedule),
    refuses: [400],
    example: { query: { enabled: true, limit: 20 } },
    summary: "List schedules, the newest first",
  },
  createSchedule: {
    method: "POST",
    path: "/schedules",
    scopes: ["schedules:write"],
    body: { json: CreateScheduleBody },
    status: 201,
    response: Schedule,
    refuses: [409, 422],
    example: {
      body: {
        name: "Monday report",
        cron_expr: "0 9 * * 1",
        timezone: "Europe/Oslo",
        endpoint: "/agents/assistant/runs",
        payload: { message: "Write the weekly report." },
        max_retries: 2,
      },
    },
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
  updateSchedule: {
    method: "PATCH",
    path: "/schedules/{schedule_id}",
    scopes: ["schedules:write"],
    params: ScheduleParams,
    body: { json: UpdateScheduleBody },
    response: Schedule,
    refuses: [409, 422],
    example: { body: { cron_expr: "0 7 * * 1" } },
    summary: "Change a schedule",
    description: "Whether it is enabled is changed by the operations of that name only.",
  },
  removeSchedule: {
    method: "DELETE",
    path: "/schedules/{schedule_id}",
    scopes: ["schedules:delete"],
    params: ScheduleParams,
    status: 204,
    response: null,
    refuses: [409],
    summary: "Delete a schedule with the record of its runs",
  },
  enableSchedule: {
    method: "POST",
    path: "/schedules/{schedule_id}/enable",
    scopes: ["schedules:write"],
    params: ScheduleParams,
    response: ScheduleState,
    refuses: [409, 422],
    summary: "Let a schedule fire again, from now on",
  },
  disableSchedule: {
    method: "POST",
    path: "/schedules/{schedule_id}/disable",
    scopes: ["schedules:write"],
    params: ScheduleParams,
    response: ScheduleState,
    refuses: [409],
    summary: "Let a schedule fire no more until it is enabled",
  },
  triggerSchedule: {
    method: "POST",
    path: "/schedules/{schedule_id}/trigger",
    scopes: ["schedules:write"],
    params: ScheduleParams,
    response: ScheduleRun,
    refuses: [409],
    summary: "Run a schedule once, now",
    description:
      "Answers the last attempt, also one that failed. What is not over after 20 seconds goes on; the record then says running.",
  },
  listScheduleRuns: {
    method: "GET",
    path: "/schedules/{schedule_id}/runs",
    scopes: ["schedules:read"],
    params: ScheduleParams,
    query: v.object(PageQuery),
    response: pageOf(ScheduleRun),
    example: { query: { limit: 20 } },
    summary: "List the attempts of a schedule, the newest first",
    description:
      "One record for each attempt. Slots that were not run are listed too: queued, skipped and missed. A long output is shown in part; the one record has all of it.",
  },
  getScheduleRun: {
    method: "GET",
    path: "/schedules/{schedule_id}/runs/{run_id}",
    scopes: ["schedules:read"],
    params: v.object({ ...ScheduleParams.entries, run_id: idOf("the attempt") }),
    response: ScheduleRun,
    summary: "Show one attempt of a schedule",
  },
} as const satisfies RouteTable;
