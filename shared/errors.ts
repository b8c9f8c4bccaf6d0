/**
 * Every code that an error body may carry, with the HTTP status it travels under.
 * A code cannot exist without its status. 401 and 403 have the names of the interface: who is not known is unauthenticated,
 * who may not is unauthorized. The other codes are ours.
 */
export const statusOf = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNPROCESSABLE: 422,
  QUEUE_FULL: 429,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  QUEUE_DISABLED: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** One thing that is wrong with a config. `path` leads to it, such as `steps[0].agent_id`; empty for the whole. */
export type Fault = {
  readonly path: string;
  /** For the config's author. */
  readonly message: string;
  readonly error_code: ErrorCode;
};

/** A refusal whose `detail` the caller may read. `cause` goes to the log and never to the client. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ErrorCode;
  /** Response headers that belong to the refusal, such as `retry-after`. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything that was found wrong, where more than the detail can be said. */
  readonly faults: readonly Fault[];

  constructor(
    code: ErrorCode,
    detail: string,
    options: { cause?: unknown; headers?: Record<string, string>; faults?: readonly Fault[] } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
    this.faults = options.faults ?? [];
  }

  get status(): number {
    return statusOf[this.code];
  }
}

/** The same text for "does not exist" and "is not yours", so that a caller cannot distinguish them. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError("NOT_FOUND", `${what} ${id} not found`);
}
