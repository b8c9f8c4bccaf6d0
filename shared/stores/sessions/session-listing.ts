import type { SessionType } from "../../schemas/sessions/session.ts";
import type { Listing } from "../listing/listing.ts";
import type { Tally } from "../listing/tally.ts";
import { type StoredSession, sessionIndexKeys } from "./session-item.ts";

/** What an index carries of a session. */
export type SessionRow = {
  readonly session_id: string;
  readonly session_type: SessionType;
  readonly component_id?: string;
  readonly session_name?: string;
  readonly user_id: string | null;
  readonly created_at: number;
  readonly opened: string;
};

/** Sessions are counted by type and component. */
export const sessionListing: Listing<StoredSession, SessionRow> = {
  table: "sessions",
  plural: "sessions",
  placeOf: sessionIndexKeys,
  countKey: ({ session_type, component_id = "" }) => `${session_type} ${component_id}`,
};

type Filter = { readonly type?: string | undefined; readonly component_id?: string | undefined };

/** How many of the counted sessions match a filter. */
export function sumOf(counts: Tally["counts"], { type, component_id }: Filter): number {
  return Object.entries(counts).reduce((sum, [key, count]) => {
    const blank = key.indexOf(" ");
    const passes =
      (type === undefined || key.slice(0, blank) === type) &&
      (component_id === undefined || key.slice(blank + 1) === component_id);
    return passes ? sum + count : sum;
  }, 0);
}
