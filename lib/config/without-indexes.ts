import * as v from "valibot";
import { tableNames } from "../../shared/runtime/table-env.ts";
import { tables } from "../../shared/stores/tables.ts";

/** Names of all indexes of all tables, such as `runs.by_owner`. */
const known: ReadonlySet<string> = new Set(
  tableNames.flatMap((table) => Object.keys(tables[table].indexes).map((index) => `${table}.${index}`)),
);

/**
 * Indexes that this deployment leaves out, separated by commas. DynamoDB adds one index for each update of a table, so an
 * existing stack gets several of them in as many deployments.
 */
export const WithoutIndexes = v.pipe(
  v.string(),
  v.transform((text): ReadonlySet<string> => new Set(text.split(",").map((name) => name.trim()))),
  v.check(
    (names) => [...names].every((name) => known.has(name)),
    ({ input }) => `${[...input].filter((name) => !known.has(name)).join(", ")}: there is no such index`,
  ),
);
