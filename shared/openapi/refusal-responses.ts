import type { JsonSchema } from "@valibot/to-json-schema";
import type { ErrorCode } from "../errors.ts";
import { referenceTo } from "./json-schema.ts";
import type { SchemaName } from "./named-schemas.ts";

type Refusal = {
  readonly description: string;
  readonly body?: SchemaName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example: { readonly detail: unknown; readonly error_code?: ErrorCode };
};

const retryAfter = { "retry-after": "Seconds to wait; absent if unknown" };

/** Every refusal, by the name with which operations reference it. */
const refusals = {
  BadRequest: {
    description: "The request cannot be carried out as it is",
    example: {
      detail: "table needs db_id: name the database that the table is in",
      error_code: "BAD_REQUEST",
    },
  },
  Unauthenticated: {
    description: "No credential, or one that is not valid",
    headers: { "www-authenticate": "Bearer" },
    example: { detail: "Missing bearer token", error_code: "UNAUTHENTICATED" },
  },
  Forbidden: {
    description: "The credential does not allow it",
    example: {
      detail: "Insufficient permissions. Required scope(s): agents:run",
      error_code: "UNAUTHORIZED",
    },
  },
  NotFound: {
    description: "There is no such thing, or it is not the caller's",
    example: { detail: "session 7f6d0d2e not found", error_code: "NOT_FOUND" },
  },
  Conflict: {
    description: "The state of things forbids it, or another request was faster",
    headers: retryAfter,
    example: { detail: "the schedule is disabled; enable it first", error_code: "CONFLICT" },
  },
  Gone: {
    description: "The link has expired, or what it was about is no longer there",
    example: { detail: "this link is no longer valid", error_code: "GONE" },
  },
  PayloadTooLarge: {
    description: "The body, or a part of it, is too large",
    example: {
      detail: "a request body may hold at most 6000000 bytes",
      error_code: "PAYLOAD_TOO_LARGE",
    },
  },
  UnsupportedMediaType: {
    description: "The body is in a form that is not read",
    example: { detail: "send application/json" },
  },
  InvalidInput: {
    description: "The input is not valid; every fault is named",
    body: "ValidationErrorBody",
    example: { detail: [{ type: "missing", loc: ["body", "message"], msg: "Field required" }] },
  },
  Unprocessable: {
    description: "The input is not valid, or is and cannot be done",
    body: "UnprocessableBody",
    example: { detail: [{ type: "missing", loc: ["body", "message"], msg: "Field required" }] },
  },
  TooManyRequests: {
    description: "Too many requests, or too many that failed, or the queue is full",
    headers: retryAfter,
    example: { detail: "the queue holds 1000 waiting runs; try again later", error_code: "QUEUE_FULL" },
  },
  InternalServerError: {
    description: "A failure on our side",
    example: { detail: "Internal server error", error_code: "INTERNAL_SERVER_ERROR" },
  },
  Unavailable: {
    description: "Something this service stands on is not available",
    headers: retryAfter,
    example: {
      detail: "A service behind this one is not available; try again later",
      error_code: "UNAVAILABLE",
    },
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type ResponseName = keyof typeof refusals;

/** The refusals, for `components.responses`. */
export const refusalResponses = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Refusal>(refusals).map(([name, { body = "ErrorBody", example, ...refusal }]) => [
      name,
      responseObject(refusal, { schema: referenceTo(body), example }),
    ]),
  );

/** One refusal of an operation: a reference, or a response with its own body. */
export function responseTo(name: ResponseName, schema?: JsonSchema): Record<string, unknown> {
  if (!schema) return { $ref: `#/components/responses/${name}` };
  const { example: _, ...refusal }: Refusal = refusals[name];
  return responseObject(refusal, { schema });
}

function responseObject({ description, headers = {} }: Omit<Refusal, "example">, content: object) {
  const described = Object.entries(headers).map(([header, meaning]) => [
    header,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    content: { "application/json": content },
  };
}
