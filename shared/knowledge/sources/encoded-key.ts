import { SourceFault } from "./source-fault.ts";

/**
 * A key as a part of an address.
 *
 * @throws SourceFault for a key that would lead out of its place: an address with `..` in it means the one above, which
 *         may be another repository or container of the same owner
 */
export function encodedKey(key: string): string {
  const parts = key.split("/");
  if (parts.includes("..") || parts.includes(".")) {
    throw new SourceFault("unsupported", "A path must not have parts that are . or ..");
  }
  return parts.map(encodeURIComponent).join("/");
}
