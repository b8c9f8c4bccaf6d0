import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time. It compares digests because they all have one length. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether a text is one of the currently valid ones; there are two while a secret is being rotated. */
export const isOneOf = (given: string, expected: readonly (string | undefined)[]): boolean =>
  // All are compared, so that the time does not reveal which one matched.
  expected.filter((text) => text !== undefined && text !== "" && sameText(given, text)).length > 0;
