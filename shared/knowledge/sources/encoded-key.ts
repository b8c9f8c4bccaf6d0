import { SourceFault } from "./source-fault.ts";

/**
 * A key as a part of an address.
 *
 * @throws SourceFault for a key with a `..` part: its address could be that of another repository or container of the
 *         same owner
 */
export function encodedKey(key: string): string {
  const parts = key.split("/");
  if (parts.includes("..") || parts.includes(".")) {
    throw new SourceFault("unsupported", "A path must not have parts that are . or ..");
  }
  return parts.map(encodeURIComponent).join("/");
}
