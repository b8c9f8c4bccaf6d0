import type { SessionType } from "../../schemas/session.ts";
import type { Db } from "../db.ts";
import type { Partition } from "../listing/index-keys.ts";
import { queryPages } from "../query-pages.ts";

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

type Wanted = {
  readonly forward: boolean;
  /** Only sessions that sort after this. */
  readonly after?: string;
  readonly perQuery?: number;
};

/** Sessions of one partition in the order of their creation, page by page as they are asked for. */
export async function* sessionRows(
  db: Db,
  partition: Partition,
  { forward, after, perQuery }: Wanted,
): AsyncGenerator<SessionRow, undefined> {
  const index = partition.startsWith("owner#")
    ? { name: "by_owner", key: "owner_key" }
    : { name: "by_opening", key: "all_key" };
  const pages = queryPages(db, {
    TableName: db.tables.sessions,
    IndexName: index.name,
    KeyConditionExpression: `${index.key} = :partition${after === undefined ? "" : " AND opened > :after"}`,
    ExpressionAttributeValues: { ":partition": partition, ...(after !== undefined && { ":after": after }) },
    ScanIndexForward: forward,
    ...(perQuery && { Limit: perQuery }),
  });
  for await (const page of pages) yield* (page.Items ?? []) as SessionRow[]; // as projected
  return undefined;
}
