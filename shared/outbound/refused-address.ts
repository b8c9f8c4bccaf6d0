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
  const refusal = notPublic(url);
  if (refusal !== undefined) return refusal;
  return url.protocol === "https:"
    ? undefined
    : `${url.host} must be called by https, unless FETCH_ALLOWED_HOSTS names it`;
}

/** Why content cannot be fetched from an address, as far as that is known without a name server; undefined where it can. */
export function unfetchableAddress(address: string, allowedHosts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  if (!url) return "the address is malformed";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return "only http and https addresses are fetched";
  if (url.username !== "" || url.password !== "") return "an address must not carry a password";
  return allowedHosts.includes(url.host) ? undefined : notPublic(url);
}

function notPublic(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  return isLocal || (isIP(host) !== 0 && !isPublicAddress(host)) ? notPublicText(url) : undefined;
}

/** What is said of an address that leads into a private network, before its name is resolved and after. */
export const notPublicText = ({ host }: Pick<URL, "host">): string =>
  `${host} is not public; FETCH_ALLOWED_HOSTS must name it with its port`;

/** The form in which addresses are stored: of a host in capitals, dots in the path and the like nothing is left. */
export const normalizedAddress = (address: string): string => new URL(address).href;
