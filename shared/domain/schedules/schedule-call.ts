import type { Schedule } from "../../schemas/schedules/schedule.ts";
import { runTarget } from "./run-target.ts";

/** The request that a schedule makes to this service. */
export type ScheduleCall = {
  /** `run` starts a run under an idempotency key, so it can be repeated; `once` is sent only once. */
  readonly kind: "run" | "once";
  readonly method: string;
  readonly rawPath: string;
  readonly rawQueryString: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/**
 * The request of one attempt.
 *
 * @param attemptId  the key under which a run is started
 * @source docs/interface/schedules.md 5.2
 */
export function scheduleCall(
  schedule: Pick<Schedule, "method" | "endpoint" | "payload" | "user_id">,
  attemptId: string,
): ScheduleCall {
  const { method, endpoint, payload, user_id } = schedule;
  const target = runTarget(method, endpoint);
  if (target) {
    return {
      kind: "run",
      method,
      rawPath: `/${target.type}s/${encodeURIComponent(target.id)}/runs`,
      rawQueryString: "",
      headers: { "content-type": "application/x-www-form-urlencoded", "idempotency-key": attemptId },
      body: runForm(payload, user_id),
    };
  }
  const [rawPath = "", rawQueryString = ""] = splitOnce(endpoint, "?");
  const isEmpty = Object.keys(payload).length === 0;
  return {
    kind: "once",
    method,
    rawPath,
    rawQueryString,
    headers: isEmpty ? {} : { "content-type": "application/json" },
    body: isEmpty ? undefined : JSON.stringify(payload),
  };
}

/** Fields that a caller may set and a schedule may not: how the run is executed, for whom, in which version. */
const NEUTRALISED = new Set([
  "stream",
  "background",
  "user_id",
  "version",
  "agno_component_version",
  "metadata",
]);

function runForm(payload: Schedule["payload"], owner: string | null): string {
  const metadata = safeMetadata(payload.metadata);
  const fields = {
    ...Object.fromEntries(Object.entries(payload).filter(([name]) => !NEUTRALISED.has(name))),
    ...(metadata && { metadata }),
    ...(owner !== null && { user_id: owner }),
    stream: false,
    background: true,
  };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.append(name, fieldText(value));
  return form.toString();
}

/** Drops metadata that is no object, and versions in it. */
function safeMetadata(metadata: unknown): Record<string, unknown> | undefined {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return undefined;
  const { version: _, agno_component_version: __, ...rest } = metadata as Record<string, unknown>; // an object
  return rest;
}

const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}
