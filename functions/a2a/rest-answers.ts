import { toLegacyHTTPError } from "@a2a-js/sdk/compat/v0_3/server";
import { restStatusFor, toRestErrorBody } from "@a2a-js/sdk/errors";
import { ServiceError } from "../../shared/errors.ts";
import { EventStream, Reply } from "../../shared/http/handler.ts";
import type { A2aRequest } from "./a2a-deps.ts";

const A2A_JSON = "application/a2a+json";

/** An answer of the HTTP binding of version 1.0, in the media type that its reader asks for. */
export function restReply({ headers }: Pick<A2aRequest, "headers">, status: number, body: unknown): Reply {
  const isOwnType = headers.accept?.includes(A2A_JSON) ?? false;
  return new Reply(status, body, isOwnType ? { "content-type": A2A_JSON } : {});
}

/**
 * The answer to an error there. Refusals of authorization look as everywhere; other errors of the platform have both
 * forms.
 *
 * @throws errors that the pipeline answers: refusals of authorization, and defects
 * @source docs/interface/a2a.md 5.4
 */
export function restRefusal(request: Pick<A2aRequest, "headers">, error: unknown): Reply {
  if (error instanceof ServiceError) {
    if (error.status === 401 || error.status === 403 || error.status >= 500) throw error;
    const { error: restError } = toRestErrorBody(new Error(error.message), error.status);
    const body = {
      detail: error.message,
      error_code: error.code,
      error: { ...restError, message: error.message },
    };
    return new Reply(error.status, body, { ...error.headers });
  }
  const status = isContentType(error) ? 415 : restStatusFor(error);
  if (status >= 500) throw error;
  return restReply(request, status, toRestErrorBody(error, status));
}

const isContentType = (error: unknown): boolean =>
  error instanceof Error && error.name === "ContentTypeNotSupportedError";

/** The same in version 0.3, which has a body of its own. */
export function legacyRefusal(error: unknown): Reply {
  if (error instanceof ServiceError) return restRefusal({ headers: {} }, error);
  const status = isContentType(error) ? 415 : restStatusFor(error);
  if (status >= 500) throw error;
  return new Reply(status, toLegacyHTTPError(error));
}

/** Opens a stream once its first frame is there, so that an error before it is answered without a stream. */
export async function openStream<T>(
  events: AsyncGenerator<T, void, undefined>,
  frameOf: (event: T) => unknown,
): Promise<EventStream> {
  const first = await events.next();
  return new EventStream(framesOf(first, events, frameOf));
}

async function* framesOf<T>(
  first: IteratorResult<T, void>,
  events: AsyncGenerator<T, void, undefined>,
  frameOf: (event: T) => unknown,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await events.next()) {
      yield `data: ${JSON.stringify(frameOf(next.value))}\n\n`;
    }
  } finally {
    await events.return();
  }
}
