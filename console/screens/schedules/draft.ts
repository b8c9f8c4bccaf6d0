import type { Operations, Schedule } from "../../../client/index.ts";
import { parsedObject } from "../../parts/form/parsed-object.ts";
import { endpointOf, type Target, targetOf } from "./target.ts";
import { ownZone } from "./when.ts";

export type ScheduleBody = Operations["createSchedule"]["input"]["body"];
type Overlap = Schedule["overlap"];
type Method = Schedule["method"];

/** What the form holds: texts as they were typed. */
export type Draft = {
  readonly name: string;
  readonly description: string;
  /** `kind:id`; empty while none is chosen, `other` for a call that runs no component. */
  readonly target: string;
  readonly method: Method;
  readonly endpoint: string;
  readonly message: string;
  /** JSON of what else is sent. */
  readonly payload: string;
  readonly cron_expr: string;
  readonly timezone: string;
  readonly overlap: Overlap;
  readonly max_retries: string;
  readonly retry_delay_seconds: string;
  readonly timeout_seconds: string;
};

export const OTHER = "other";

export const emptyDraft = (target: string): Draft => ({
  name: "",
  description: "",
  target,
  method: "GET",
  endpoint: "",
  message: "",
  payload: "",
  cron_expr: "0 9 * * 1-5",
  timezone: ownZone(),
  overlap: "skip",
  max_retries: "0",
  retry_delay_seconds: "60",
  timeout_seconds: "3600",
});

export function draftOf(schedule: Schedule, isCopy: boolean): Draft {
  const target = targetOf(schedule);
  const { message, ...others } = schedule.payload;
  const hasMessage = target !== undefined && typeof message === "string";
  const rest = hasMessage ? others : schedule.payload;
  return {
    name: isCopy ? `${schedule.name} copy` : schedule.name,
    description: schedule.description ?? "",
    target: target ? `${target.kind}:${target.id}` : OTHER,
    method: schedule.method,
    endpoint: schedule.endpoint,
    message: hasMessage ? message : "",
    payload: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : "",
    cron_expr: schedule.cron_expr,
    timezone: schedule.timezone,
    overlap: schedule.overlap,
    max_retries: String(schedule.max_retries),
    retry_delay_seconds: String(schedule.retry_delay_seconds),
    timeout_seconds: String(schedule.timeout_seconds),
  };
}

/** What the reader must correct before anything can be sent; by field. */
export function problemsOf(draft: Draft): Readonly<Record<string, string>> {
  const payload = parsedObject(draft.payload);
  return {
    ...(draft.name.trim() === "" && { name: "A schedule needs a name" }),
    ...(draft.target === "" && { target: "Choose what it runs" }),
    ...(draft.target !== OTHER &&
      draft.target !== "" &&
      draft.message.trim() === "" && { message: "Without a message the run fails" }),
    ...(payload.problem !== undefined && { payload: payload.problem }),
  };
}

/** What is sent. Numbers that are none are sent as they were typed, so that the platform says what it takes. */
export function bodyOf(draft: Draft): ScheduleBody {
  const target = parsedTarget(draft.target);
  const payload = parsedObject(draft.payload).value ?? {};
  const numberOf = (text: string) => (text.trim() === "" ? text : Number(text)) as number;
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    method: target ? "POST" : draft.method,
    endpoint: target ? endpointOf(target) : draft.endpoint.trim(),
    payload: target ? { ...payload, message: draft.message } : payload,
    cron_expr: draft.cron_expr.trim(),
    timezone: draft.timezone,
    overlap: draft.overlap,
    max_retries: numberOf(draft.max_retries),
    retry_delay_seconds: numberOf(draft.retry_delay_seconds),
    timeout_seconds: numberOf(draft.timeout_seconds),
  };
}

export function parsedTarget(text: string): Target | undefined {
  const colon = text.indexOf(":");
  const kind = text.slice(0, colon);
  if (kind !== "agent" && kind !== "team" && kind !== "workflow") return undefined;
  return { kind, id: text.slice(colon + 1) };
}
