import { type Family, families } from "./index.ts";
import type { AccessRow, AccessRows, Route, RouteTable } from "./route.ts";

/**
 * The fields of every row that authorization depends on. Bundles contain this value instead of the code that computes it
 * (see `build/bundles/evaluated.ts`): the schemas of all families would be half of what the authorizer loads at start.
 */
export const accessTable = Object.fromEntries(
  Object.entries<RouteTable>(families).map(([family, table]) => [family, accessRows(table)]),
) as Readonly<Record<Family, AccessRows>>; // its keys are those of `families`

function accessRows(table: RouteTable): AccessRows {
  const rowOf = ({ method, path, scopes }: Route): AccessRow => ({ method, path, scopes });
  return Object.fromEntries(Object.entries(table).map(([operation, route]) => [operation, rowOf(route)]));
}
