import { AISDKError } from "@ai-sdk/provider";
import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { ServiceError } from "../../errors.ts";
import { parsedJson } from "../../schemas/values/json-values.ts";
import { ModelSilent } from "./idle-limit.ts";
import type { ClosedGate } from "./model-gate.ts";

export type RunFault = {
  readonly cause: FailureCause;
  /** Public: no host, no stack, no credential. */
  readonly text: string;
  /** What was thrown, for the log. */
  readonly thrown: unknown;
  /** Set when the same call may succeed soon; `after_seconds` is set when the service said how soon. */
  readonly again?: { readonly after_seconds?: number };
  /** Set where the model was not called, because all workers know that it is not to be called now. */
  readonly closed?: ClosedGate;
  /** For programs, shown instead of the cause: the kind of fault, and its id. */
  readonly error_type?: string;
  readonly error_id?: string;
};

/**
 * Classifies a failed model call: whether a retry may help, and what the caller may read of it.
 *
 * The service's own message is shown when the service answered. Errors of the connection name hosts, and a refused
 * credential may be quoted, so both get a text of ours.
 *
 * @param nowMs  epoch milliseconds
 */
export function modelFault(thrown: unknown, nowMs: number): RunFault {
  if (thrown instanceof ModelSilent) return { cause: "model", text: thrown.message, thrown, again: {} };
  const fault = classify(thrown);
  if (!mayPass(fault, thrown)) return fault;
  const after_seconds = retryAfter(propertyOf(thrown, "responseHeaders"), nowMs);
  return { ...fault, again: after_seconds === undefined ? {} : { after_seconds } };
}

/** Statuses by which the service rejects the request itself: a retry would get the same answer. */
const rejections: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** What the packages throw where a connection breaks, or what arrives cannot be read. */
const unreadable: ReadonlySet<string> = new Set([
  "AI_APICallError",
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_NoContentGeneratedError",
  "AI_TypeValidationError",
]);

/**
 * Whether the same call may succeed soon. Of a service that answered with a status, the status decides. A connection that
 * breaks, an answer that ends early and a failure within a stream may pass too: the packages, which have sent a status 200
 * on, do not say so.
 */
function mayPass({ cause }: RunFault, thrown: unknown): boolean {
  if (cause === "throttled" || propertyOf(thrown, "isRetryable") === true) return true;
  if (cause !== "model") return false;
  const { status, codes } = readFault(thrown);
  if (isError(status)) return false;
  if (!(thrown instanceof Error)) return !codes.some((code) => LASTING.test(code));
  return isConnectionFault(thrown) || isDamaged(thrown) || unreadable.has(thrown.name);
}

/** Codes of failures within a stream that the same request would meet again. */
const LASTING = /invalid|validation|auth|denied|permission|not_?found|quota|billing|context_length/i;

function classify(thrown: unknown): RunFault {
  if (thrown instanceof ServiceError) return { cause: "internal", text: thrown.message, thrown };
  const { status, message, codes } = readFault(thrown);
  if (isThrottling(status, codes)) {
    return { cause: "throttled", text: message ?? "The model service asks to slow down.", thrown };
  }
  if (status === 401 || status === 403) {
    return { cause: "permission", text: `The model service refused the credential (${status}).`, thrown };
  }
  if (message !== undefined && status !== undefined && rejections.has(status)) {
    return { cause: "input", text: message, thrown };
  }
  if (message !== undefined) return { cause: "model", text: message, thrown };
  if (AISDKError.isInstance(thrown) || isConnectionFault(thrown) || isDamaged(thrown)) {
    return { cause: "model", text: "The model service could not be reached or understood.", thrown };
  }
  return { cause: "internal", text: "The model call failed unexpectedly.", thrown };
}

type FaultDetails = {
  readonly status: number | undefined;
  /** What the service itself said. */
  readonly message: string | undefined;
  /** Type, code and name that the service gave the fault. */
  readonly codes: readonly string[];
};

/**
 * A fault is an error with a `statusCode` or, within a stream, the object that the service sent. The provider packages
 * carry copies of their error classes, so only the shape can be tested.
 */
function readFault(thrown: unknown): FaultDetails {
  if (thrown === null || typeof thrown !== "object")
    return { status: undefined, message: undefined, codes: [] };
  const field = (name: string): unknown => propertyOf(thrown, name);
  const status = numberIn(field("statusCode"));
  const codes = [field("type"), field("code"), field("name")].filter((code) => typeof code === "string");
  // With another status the text is the package's: the service sent an answer that broke off or could not be read.
  const fromService = isError(status) || !(thrown instanceof Error);
  const message = textOf(field("responseBody")) ?? field("message");
  return {
    status,
    message: fromService && typeof message === "string" && message !== "" ? message : undefined,
    codes,
  };
}

/** Longer texts are pages, or quote the request. */
const MAX_TEXT = 1_000;

/**
 * What a service says in the body of an error, in the places that servers have for it. The packages read the place of one
 * service alone, and say "Bad Request" for the others.
 */
function textOf(body: unknown): string | undefined {
  const sent = typeof body === "string" ? parsedJson(body) : undefined;
  const error = propertyOf(sent, "error");
  const detail = propertyOf(sent, "detail");
  const [first] = Array.isArray(detail) ? detail : [];
  const places = [
    propertyOf(error, "message"),
    error,
    propertyOf(sent, "message"),
    detail,
    propertyOf(first, "msg"),
  ];
  const text = places.find((place) => typeof place === "string" && place.trim() !== "");
  return typeof text === "string" ? text.slice(0, MAX_TEXT) : undefined;
}

const isError = (status: number | undefined): boolean => status !== undefined && status >= 400;

/** Whether a connection failed or broke; such errors are wrapped, or bare where an answer is read. */
function isConnectionFault(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    const code = propertyOf(error, "code");
    if (typeof code === "string" && /^(?:E[A-Z]{3,}$|EAI_|UND_ERR_)/.test(code)) return true;
  }
  return false;
}

/** A frame of Amazon's event streams whose checksums are wrong; no class identifies this error. */
const isDamaged = (thrown: unknown): boolean =>
  thrown instanceof Error && /^The (?:message|prelude) checksum /.test(thrown.message);

const propertyOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" ? Reflect.get(value, name) : undefined;

const numberIn = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const THROTTLING = /throttl|rate_limit|too.?many.?requests|overloaded|slow_?down/i;

function isThrottling(status: number | undefined, codes: readonly string[]): boolean {
  return status === 429 || status === 529 || codes.some((code) => THROTTLING.test(code));
}

/**
 * How long a service asks to wait before the next request.
 *
 * @param headers  names in lower case
 * @param nowMs    epoch milliseconds, for headers that name an instant
 * @returns seconds; undefined when it does not say
 * @source RFC 9110 section 10.2.3; `retry-after-ms` is OpenAI's
 */
export function retryAfter(headers: unknown, nowMs: number): number | undefined {
  const read = (name: string): string | undefined => {
    const header: unknown = headers !== null && typeof headers === "object" && Reflect.get(headers, name);
    return typeof header === "string" && header.trim() !== "" ? header : undefined;
  };
  const inMs = Number(read("retry-after-ms"));
  if (inMs >= 0) return inMs / 1000;
  const value = read("retry-after");
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}
