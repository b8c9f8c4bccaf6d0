import { lookup as resolveHost } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./is-public-address.ts";

/** An address of a host, as Node's resolver gives it. */
export type Address = { readonly address: string; readonly family: number };

/** The addresses of a host that may be called, or why it may not be. A failure of the name server is neither. */
export type Checked =
  | { readonly addresses: readonly Address[] }
  | { readonly refused: "not_public" | "unknown_host" };

/**
 * Resolves the host of an address that a user or another service named, and checks all its addresses. Whoever connects to
 * one of them with `pinnedTo` gains nothing by a name server that answers differently the second time (DNS rebinding).
 *
 * @param allowedHosts  hosts, with their ports, that may be called although their address is not public
 * @throws where the name server did not answer; a retry may succeed
 */
export async function checkedAddresses(url: URL, allowedHosts: readonly string[]): Promise<Checked> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses = family === 0 ? await resolved(host) : [{ address: host, family }];
  if (!addresses) return { refused: "unknown_host" };
  const isAllowed =
    allowedHosts.includes(url.host) || addresses.every(({ address }) => isPublicAddress(address));
  return isAllowed ? { addresses } : { refused: "not_public" };
}

async function resolved(host: string): Promise<Address[] | undefined> {
  try {
    return await resolveHost(host, { all: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAI_AGAIN") throw error;
    return undefined;
  }
}

/** The `lookup` of a connection to a checked address, which does not resolve the host again. */
export const pinnedTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, done) => {
    const first = addresses[0];
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };
