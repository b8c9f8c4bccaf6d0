import { createHash, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { ServiceError } from "../errors.ts";
import { systemClock } from "../runtime/clock.ts";
import { EDGE_HEADER, EDGE_VIEWER_HEADER, type EdgeSecret, EdgeSecretText } from "../runtime/edge-secret.ts";
import type { Log } from "../runtime/log.ts";
import { readSecret } from "../runtime/secrets/read-secret.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Whether a request came through CloudFront, and so through its firewall and its limits.
 *
 * @param headers  names in lower case
 * @throws ServiceError UNAVAILABLE while the secret cannot be read
 */
export type FromEdge = (headers: Headers) => Promise<boolean>;

type Options = {
  readonly read: () => Promise<EdgeSecret>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onFault: (cause: unknown) => void;
};

/** A wrong value may be one that was rotated in since the secret was read; wrong values cost one read in this time. */
const REREAD_MS = 10_000;
/** How long a value that was taken out of the secret may still be accepted. */
const KEEP_MS = 3_600_000;

type Held = { readonly digests: readonly Buffer[]; readonly readAt: number };

/**
 * Compares the header with the secret, which is read when this is made, and kept. It is read again once an hour, and
 * when a value does not match.
 *
 *   secret      | current: A | current: B, previous: A | current: B
 *   CloudFront  | A .............. A ▸ B .............. | B
 *   instance    | A              B does not match ▸ read again: A and B
 */
export function createFromEdge({ read, now, onFault }: Options): FromEdge {
  let held: Held | undefined;
  let reading: Promise<Held> | undefined;
  const load = (): Promise<Held> => {
    reading ??= read()
      .then(({ current, previous }) => {
        const values = previous === undefined ? [current] : [current, previous];
        held = { digests: values.map(digestOf), readAt: now() };
        return held;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const loadOrKeep = async (): Promise<Held> => {
    try {
      return await load();
    } catch (cause) {
      onFault(cause);
      if (held) return held;
      throw new ServiceError("UNAVAILABLE", "The service cannot be reached just now; try again later", {
        cause,
      });
    }
  };
  // While the rest of the function starts. A failure is met again, and reported, by the first request.
  load().catch(() => {});
  return async (headers) => {
    const sent = headers[EDGE_HEADER];
    if (sent === undefined) return false;
    const known = held && now() - held.readAt < KEEP_MS ? held : await loadOrKeep();
    if (isAmong(known.digests, sent)) return true;
    if (now() - known.readAt < REREAD_MS) return false;
    return isAmong((await loadOrKeep()).digests, sent);
  };
}

/**
 * The same from a function's environment; undefined where no secret is named, because nothing stands before the HTTP
 * API then.
 */
export function fromEdgeIn(
  { EDGE_SECRET }: { readonly EDGE_SECRET?: string | undefined },
  log: Pick<Log, "error">,
): FromEdge | undefined {
  if (EDGE_SECRET === undefined) return undefined;
  return createFromEdge({
    read: async () => v.parse(EdgeSecretText, await readSecret(EDGE_SECRET)),
    now: systemClock.now,
    onFault: (error) => log.error("the secret that CloudFront sends cannot be read", { error }),
  });
}

/**
 * The address of the client: behind CloudFront the one that it passes on, and nothing of the kind elsewhere.
 *
 * @param isProved    whether the request proved to have come through CloudFront
 * @param connection  address that opened the connection
 */
export const clientAddress = (isProved: boolean, headers: Headers, connection: string): string =>
  (isProved ? headers[EDGE_VIEWER_HEADER] : undefined) ?? connection;

/** Digests have one length, so that comparing them reveals nothing of the value's. */
const digestOf = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Compares with every value, in the same time whichever matches. */
function isAmong(digests: readonly Buffer[], sent: string): boolean {
  const digest = digestOf(sent);
  return digests.map((one) => timingSafeEqual(one, digest)).includes(true);
}
