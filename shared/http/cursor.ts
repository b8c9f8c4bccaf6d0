import { createHash } from "node:crypto";
import { ServiceError } from "../errors.ts";

/** The members of a query that decide which rows there are. */
type Filter = Readonly<Record<string, unknown>>;

/** A cursor: the place of a page's last row, and a digest of the filter that it belongs to. Nothing is stored for it. */
export const encodeCursor = (place: string, filter: Filter): string =>
  Buffer.from(`${digestOf(place, filter)}${place}`).toString("base64url");

/**
 * The place that a cursor names. It grants nothing: what is read from there on is decided as for the first page.
 *
 * @throws ServiceError BAD_REQUEST for a text that is none of these cursors, or one of a list with another filter
 */
export function decodeCursor(cursor: string, filter: Filter): string {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const place = text.slice(DIGEST_CHARS);
  if (text.startsWith(digestOf(place, filter)) && PLACE.test(place)) return place;
  throw new ServiceError(
    "BAD_REQUEST",
    "cursor is not one of this list; pass next_cursor of a page with the same filters, or none for the first page",
  );
}

/** A time in all its digits, and what distinguishes rows of that time. */
const PLACE = /^\d{12,15}#.{1,128}$/;
const DIGEST_CHARS = 16;

/** Members that are not given do not count, whatever their order. */
function digestOf(place: string, filter: Filter): string {
  const given = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([place, given]))
    .digest("base64url")
    .slice(0, DIGEST_CHARS);
}
