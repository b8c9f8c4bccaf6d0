import type { OutMedium } from "./chat-port.ts";

/** The name under which a file is sent. */
export const fileNameOf = ({ filename, kind, mime_type }: OutMedium): string =>
  filename ?? `${kind.replace(/s$/, "")}.${mime_type.split("/")[1]?.replace(/\W.*/, "") ?? "bin"}`;

const MAX_CAPTION = 1024;

/** A caption cut to the length that both platforms accept. */
export const shortCaption = (caption: string): string =>
  caption.length <= MAX_CAPTION ? caption : `${caption.slice(0, MAX_CAPTION - 3).toWellFormed()}...`;

/** A file for a form. The copy gives it a buffer of its own, which the type requires. */
export const blobOf = (bytes: Uint8Array, mime_type: string): Blob =>
  new Blob([Uint8Array.from(bytes)], { type: mime_type });

/**
 * Whether an address is one that may get our token.
 *
 * @param hosts  hosts, and ends of hosts that begin with a dot
 */
export function isPlatformHost(url: string, apiUrl: string, hosts: readonly string[]): boolean {
  const { protocol, hostname, origin } = new URL(url);
  if (origin === new URL(apiUrl).origin) return true;
  const isListed = hosts.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && isListed;
}

/** Reads the bytes of an answer; stops and returns undefined once there are more than allowed. */
export async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.length;
    if (total > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
