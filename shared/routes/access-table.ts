import { type Family, families } from "./index.ts";
import type { AccessRow, AccessRows, Route, RouteTable } from "./route.ts";

/**
 * What access depends on of every row. Bundles hold this value instead of what it is made from (see
 * `scripts/bundles/evaluated.ts`): the schemas of all families would be half of what the authorizer reads to start.
 */
export const accessTable = Object.fromEntries(
  Object.entries<RouteTable>(families).map(([family, table]) => [family, accessRows(table)]),
) as Readonly<Record<Family, AccessRows>>; // its keys are those of `families`

function accessRows(table: RouteTable): AccessRows {
  const rowOf = ({ method, path, scopes }: Route): AccessRow => ({ method, path, scopes });
  return Object.fromEntries(Object.entries(table).map(([operation, route]) => [operation, rowOf(route)]));
}
