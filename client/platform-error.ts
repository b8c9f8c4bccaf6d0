/** An answer with an error status, and the platform's description of the error. */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly status: number;
  /** Names the kind of failure, such as `NOT_FOUND`; absent where a proxy before the platform answered. */
  readonly code: string | undefined;
  /** Names the request in the platform's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;

  private constructor(response: Response, body: unknown) {
    const { detail, error_code } = (typeof body === "object" && body !== null ? body : {}) as {
      readonly detail?: unknown;
      readonly error_code?: unknown;
    };
    super(`${response.status}: ${typeof detail === "string" ? detail : JSON.stringify(detail ?? body)}`);
    this.status = response.status;
    this.code = typeof error_code === "string" ? error_code : undefined;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.retryAfter = secondsOf(response.headers.get("retry-after"));
    this.body = body;
  }

  static async of(response: Response): Promise<PlatformError> {
    const text = await response.text();
    try {
      return new PlatformError(response, JSON.parse(text));
    } catch {
      return new PlatformError(response, text);
    }
  }
}

/** @param after  seconds, or the time as a date; anything else counts as nothing */
function secondsOf(after: string | null): number | undefined {
  const seconds = after === null ? Number.NaN : Number(after);
  const until = Number.isNaN(seconds) && after !== null ? (Date.parse(after) - Date.now()) / 1000 : seconds;
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}
