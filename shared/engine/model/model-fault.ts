import { AISDKError } from "@ai-sdk/provider";
import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { ServiceError } from "../../errors.ts";
import { retryAfter } from "./retry-after.ts";

export type RunFault = {
  readonly cause: FailureCause;
  /** Public: no host, no stack, no credential. */
  readonly text: string;
  /** What was thrown, for the log. */
  readonly thrown: unknown;
  /** Given when the same call may succeed soon; `after_seconds` when the service said how soon. */
  readonly again?: { readonly after_seconds?: number };
  /** Shown instead of the cause, for programs: what kind of fault, and which one. */
  readonly error_type?: string;
  readonly error_id?: string;
};

/**
 * What a failed model call means: whether waiting may help, and what the caller may read of it.
 *
 * A service's own message is shown when the service answered. What our side says about a connection names hosts,
 * and a refusal of a credential may quote it, so both get a text of ours.
 *
 * @param nowMs  epoch milliseconds
 */
export function modelFault(thrown: unknown, nowMs: number): RunFault {
  const fault = classify(thrown);
  const mayPass = fault.cause === "throttled" || member(thrown, "isRetryable") === true;
  if (!mayPass) return fault;
  const after_seconds = retryAfter(member(thrown, "responseHeaders"), nowMs);
  return { ...fault, again: after_seconds === undefined ? {} : { after_seconds } };
}

/** The service has understood the request and will answer the same to it again. */
const refusals: ReadonlySet<number> = new Set([400, 404, 413, 422]);

function classify(thrown: unknown): RunFault {
  if (thrown instanceof ServiceError) return { cause: "internal", text: thrown.message, thrown };
  const { status, message, marks } = readFault(thrown);
  if (isThrottling(status, marks)) {
    return { cause: "throttled", text: message ?? "The model service asks to slow down.", thrown };
  }
  if (status === 401 || status === 403) {
    return { cause: "permission", text: `The model service refused the credential (${status}).`, thrown };
  }
  if (message !== undefined && status !== undefined && refusals.has(status)) {
    return { cause: "input", text: message, thrown };
  }
  if (message !== undefined) return { cause: "model", text: message, thrown };
  if (AISDKError.isInstance(thrown)) {
    return { cause: "model", text: "The model service could not be reached or understood.", thrown };
  }
  return { cause: "internal", text: "The model call failed unexpectedly.", thrown };
}

type Reading = {
  readonly status: number | undefined;
  /** What the service itself said. */
  readonly message: string | undefined;
  /** Names the service gave the fault. */
  readonly marks: readonly string[];
};

/**
 * Faults reach us as errors with a `statusCode` or, from within a stream, as the object the service sent; the
 * provider packages carry copies of their error classes, so shape is the only common ground.
 */
function readFault(thrown: unknown): Reading {
  if (thrown === null || typeof thrown !== "object")
    return { status: undefined, message: undefined, marks: [] };
  const field = (name: string): unknown => member(thrown, name);
  const status = numberIn(field("statusCode"));
  const marks = [field("type"), field("code"), field("name")].filter((mark) => typeof mark === "string");
  const fromService = status !== undefined || !(thrown instanceof Error);
  const message = field("message");
  return {
    status,
    message: fromService && typeof message === "string" && message !== "" ? message : undefined,
    marks,
  };
}

const member = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" ? Reflect.get(value, name) : undefined;

const numberIn = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const THROTTLING = /throttl|rate_limit|too.?many.?requests|overloaded|slow_?down/i;

function isThrottling(status: number | undefined, marks: readonly string[]): boolean {
  return status === 429 || status === 529 || marks.some((mark) => THROTTLING.test(mark));
}
