import { families } from "../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../shared/routes/route.ts";

type FamilyTables = typeof families;
/** Name of every served operation. */
export type Operation = { [F in keyof FamilyTables]: keyof FamilyTables[F] }[keyof FamilyTables];

export type Row = { readonly operation: string; readonly route: Route };

export const rows: readonly Row[] = Object.values<RouteTable>(families).flatMap((table) =>
  Object.entries(table).map(([operation, route]) => ({ operation, route })),
);

/** The rows that ask for a credential. */
export const guardedRows = rows.filter(({ route }) => route.scopes !== "public");

/** All scopes that some route asks for, but the admin's: what an ordinary user may hold at most. */
export const ordinaryScopes: readonly string[] = [
  ...new Set(rows.flatMap(({ route }) => (route.scopes === "public" ? [] : route.scopes))),
].filter((scope) => scope !== "platform:admin");
