import type { Principal } from "../auth/principal.ts";
import type { BodyOf, ParamsOf, QueryOf, ResponseOf, Route } from "../routes/route.ts";
import type { WaitLimits } from "./wait-limits.ts";

/** What an answer may take of the function that makes it. Whatever begins or continues a run passes it on as it is. */
export type Invocation = {
  /** How long the HTTP API or CloudFront waits for an answer; absent where nothing limits it. */
  readonly waitLimits?: WaitLimits;
  /**
   * Keeps the function at work after its answer until this is settled; absent where a function ends with its answer, as behind
   * the HTTP API. The work handles its own errors: nothing waits for them.
   */
  readonly afterAnswer?: (work: Promise<void>) => void;
};

/** What a handler receives: validated input and the principal. Nothing of the transport. */
export type HandlerRequest<R extends Route> = {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Scheme and host at which this service was reached, as the HTTP API or the function URL reports it. */
  readonly origin?: string;
  /** `anonymous` on public routes. */
  readonly principal: Principal;
  /** Aborts when the client is known to be gone or the function is about to end. */
  readonly signal: AbortSignal;
  readonly invocation: Invocation;
};

/** An answer with another status than its row's, or with further headers. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A body that is JSON already, so that it is not serialized twice. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * An answer that is written while it happens (`text/event-stream`). Each chunk is one or more whole frames.
 * Behind the HTTP API, which buffers answers, the chunks are joined.
 */
export class EventStream {
  readonly chunks: AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(chunks: AsyncIterable<string>, headers: Record<string, string> = {}) {
    this.chunks = chunks;
    this.headers = headers;
  }
}

export type Handler<R extends Route, Needs> = (
  request: HandlerRequest<R>,
  deps: Needs,
) => Promise<ResponseOf<R> | Reply | EventStream>;
