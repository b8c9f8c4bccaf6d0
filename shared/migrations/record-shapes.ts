import type { TableName } from "../runtime/table-env.ts";
import type { Migration, MigrationStep } from "./migration.ts";

/**
 * Records that were written without the version of their shape, by the beginning of their sort keys. A migration is a
 * thing of its time: it says itself what it finds and what it writes, and names nothing that changes later.
 */
const unsaid: Readonly<Partial<Record<TableName, RegExp>>> = {
  jobs: /^(key$|ended#)/,
  runs: /^(event|tool)#/,
  service_accounts: /^name$/,
  budgets: /^day#/,
};

/** The only shape that these records had until then. */
const SHAPE = 1;

function stepOf([table, sortKey]: [string, RegExp]): MigrationStep {
  const isMeant = ({ sk }: { readonly sk?: unknown }) => sortKey.test(String(sk));
  return {
    table: table as TableName, // a key of the record above
    up: (record) => (isMeant(record) && record.shape === undefined ? { set: { shape: SHAPE } } : undefined),
    down: (record) => (isMeant(record) && record.shape === SHAPE ? { remove: ["shape"] } : undefined),
  };
}

/** From version 2 on every record says which shape it has, so that the next change of one can tell old from new. */
export const recordShapes: Migration = {
  version: 2,
  name: "say-shapes",
  steps: Object.entries(unsaid).map(stepOf),
};
