import { accessTable, PUBLIC } from "./access-table.ts";
import type { Family } from "./index.ts";
import type { AccessRows } from "./route.ts";

/** The fields of every row that authorization depends on. */
export const accessRows = Object.fromEntries(
  Object.entries(accessTable).map(([family, table]) => [
    family,
    Object.fromEntries(
      Object.entries(table).map(([operation, [method, path, scopes]]) => [
        operation,
        { method, path, scopes: scopes === PUBLIC ? "public" : scopes },
      ]),
    ),
  ]),
) as Readonly<Record<Family, AccessRows>>; // its keys are those of `families`
