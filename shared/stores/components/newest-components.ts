import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import { type ComponentsQuery, listComponents } from "./list-components.ts";

/** Most that lists without pages show; `GET /components` has them all. */
const MOST_LISTED = 200;

/** The newest components of a kind, for lists without pages. */
export async function newestComponents(
  db: Db,
  query: Pick<ComponentsQuery, "audiences" | "type" | "hidden">,
): Promise<ComponentRecord[]> {
  const page = { include_deleted: false, page: 1, limit: MOST_LISTED };
  return (await listComponents(db, { ...query, ...page })).components;
}
