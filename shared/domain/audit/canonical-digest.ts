import { createHash } from "node:crypto";
import { canonicalJson } from "../../schemas/values/json-values.ts";

/** SHA-256 in hexadecimal of a JSON value, whatever the order of its members; those that are undefined do not count. */
export const canonicalDigest = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");
