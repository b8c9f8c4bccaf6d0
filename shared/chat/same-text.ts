import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time. It compares digests because they all have one length. */
function sameText(received: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(received), digest(expected));
}

/** Whether a text is one of the currently valid ones; there are two while a secret is being rotated. */
export const isOneOf = (received: string, expected: readonly (string | undefined)[]): boolean =>
  // All are compared, so that the time does not reveal which one matched.
  expected.filter((text) => text !== undefined && text !== "" && sameText(received, text)).length > 0;
