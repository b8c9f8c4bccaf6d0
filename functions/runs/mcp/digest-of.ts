import { createHash } from "node:crypto";

/** An id that follows from its parts, which cannot be read from it. No other parts have the same one. */
export const digestOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
