import { isIP } from "node:net";
import { isPublicAddress } from "./is-public-address.ts";

/**
 * Why messages cannot be sent to an address, as far as that is known without a name server; undefined where they can.
 * Names are resolved and checked when a message is sent.
 *
 * @param allowedHosts  hosts, with their ports, that may be called although they are not public, and without TLS
 */
export function refusedAddress(address: string, allowedHosts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  if (!url) return "the address is malformed";
  if (allowedHosts.includes(url.host)) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  if (isLocal || (isIP(host) !== 0 && !isPublicAddress(host)))
    return `${url.host} is not public; FETCH_ALLOWED_HOSTS must name it with its port`;
  return url.protocol === "https:"
    ? undefined
    : `${url.host} must be called by https, unless FETCH_ALLOWED_HOSTS names it`;
}
