export type ClientOptions = {
  /** Address of the platform, such as the stack's output `BaseUrl`. */
  readonly baseUrl: string;
  /**
   * A bearer credential. A function is called before every request, and once more when the platform answers 401; if it
   * returns another credential then, the request is sent again with that one.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * How often a request is sent again at most (2), after a pause that grows and is random, or as long as `Retry-After`
   * says. A pause of more than half a minute is left to the caller. `false` repeats nothing.
   *
   * | Answer            | Repeated                                                                                |
   * | ----------------- | --------------------------------------------------------------------------------------- |
   * | 429               | every request: the platform and AWS answer it before they accept anything               |
   * | 503, no answer    | what can be sent twice: GET, following a run, and starting a run in the background        |
   * | everything else   | nothing                                                                                 |
   *
   * A 503 may come after a write, so other requests that got one may have been carried out. To start a background run
   * the client sends an `Idempotency-Key` (one more write for the platform), unless the call names its own.
   */
  readonly retries?: number | false | undefined;
};

export type CallOptions = {
  /** Ends the call; see `onLeave` for what becomes of a run. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What happens to a run in the foreground when its signal aborts, or when the iteration of its stream is ended early.
   * The platform does not learn that a client has left, so the run goes on to its end, and is paid for, unless it is
   * cancelled. `cancel` (default) cancels it as far as it is known which run it is; `go-on` leaves it.
   */
  readonly onLeave?: "cancel" | "go-on" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The same for calls that start no run. */
export type ReadOptions = Pick<CallOptions, "signal" | "headers">;
