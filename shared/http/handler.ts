import type { Principal } from "../auth/principal.ts";
import type { BodyOf, ParamsOf, QueryOf, ResponseOf, Route } from "../routes/route.ts";
import type { WaitLimits } from "./wait-limits.ts";

/** What a handler receives: validated input and who is asking. Nothing of the transport. */
export type HandlerRequest<R extends Route> = {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Scheme and host at which this service was reached, as its front says. */
  readonly origin?: string;
  /** `anonymous` on public routes. */
  readonly principal: Principal;
  /** Aborts when the client is known to be gone or the function is about to end. */
  readonly signal: AbortSignal;
  /** How long the front waits; without it for as long as it takes. */
  readonly waitLimits?: WaitLimits;
};

/** An answer with another status or further headers than the row's ordinary one. */
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

/**
 * An answer that is written while it happens (`text/event-stream`). Each chunk is one or more whole frames.
 * Where the front buffers, the chunks are joined.
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
