import { families } from "./index.ts";
import type { AccessRow, RouteTable } from "./route.ts";

/** Stands for "public": a row that has nothing in its place is not taken for one. */
export const PUBLIC = 0;

/** Method, path and scopes of a row. */
export type AccessFields = readonly [
  method: AccessRow["method"],
  path: AccessRow["path"],
  scopes: Exclude<AccessRow["scopes"], "public"> | typeof PUBLIC,
];

/**
 * The fields of every row that authorization depends on, by family and operation, without their names. Bundles contain this value
 * instead of the code that computes it (see `build/bundles/evaluated.ts`): the schemas of all families would be half of what the
 * authorizer loads at start, and the names of the fields a tenth.
 */
export const accessTable: Readonly<Record<string, Readonly<Record<string, AccessFields>>>> =
  Object.fromEntries(
    Object.entries<RouteTable>(families).map(([family, table]) => [
      family,
      Object.fromEntries(
        Object.entries(table).map(([operation, { method, path, scopes }]) => [
          operation,
          [method, path, scopes === "public" ? PUBLIC : scopes],
        ]),
      ),
    ]),
  );
