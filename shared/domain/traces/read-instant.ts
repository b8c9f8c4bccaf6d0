import { ServiceError } from "../../errors.ts";

const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/**
 * An instant in ISO 8601; without a zone it is in UTC.
 *
 * @returns epoch milliseconds
 * @throws  ServiceError BAD_REQUEST
 */
export function readInstant(given: unknown, name: string): number {
  // A plus that was not encoded in a URL arrives as a blank.
  const text = typeof given === "string" ? given.trim().replace(/ (\d\d:?\d\d)$/, "+$1") : "";
  const hasTime = text.length > "2026-03-04".length;
  const ms = ISO.test(text) ? Date.parse(hasTime && !ZONE.test(text) ? `${text}Z` : text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new ServiceError("BAD_REQUEST", `${name} must be a time in ISO 8601, such as 2026-03-04T09:15:00Z`);
}
