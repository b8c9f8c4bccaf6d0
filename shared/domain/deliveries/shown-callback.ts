import type { Callback, ShownCallback } from "../../schemas/deliveries/callback.ts";

/**
 * A callback as the record of its run shows it. What may be secret in an address is left out: its query in any case, and
 * its path where not the request itself has named it.
 */
export function shownCallback({ url, events, named_by }: Callback): ShownCallback {
  const { origin, pathname } = new URL(url);
  return { url: named_by === "request" ? `${origin}${pathname}` : origin, events };
}
