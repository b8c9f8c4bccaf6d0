import type { TableName } from "../settings/table-env.ts";
import type { Migration, MigrationStep } from "./migration.ts";

/**
 * Records that were written without the version of their shape, by a pattern of their sort keys. A migration must not
 * depend on code that changes later: it defines itself what it reads and writes.
 */
const withoutShape: Readonly<Partial<Record<TableName, RegExp>>> = {
  jobs: /^(key$|ended#)/,
  runs: /^(event|tool)#/,
  service_accounts: /^name$/,
  budgets: /^day#/,
};

/** The only shape of these records until then. */
const SHAPE = 1;

function stepOf([table, sortKey]: [string, RegExp]): MigrationStep {
  const isMatch = ({ sk }: { readonly sk?: unknown }) => sortKey.test(String(sk));
  return {
    table: table as TableName, // a key of the record above
    up: (record) => (isMatch(record) && record.shape === undefined ? { set: { shape: SHAPE } } : undefined),
    down: (record) => (isMatch(record) && record.shape === SHAPE ? { remove: ["shape"] } : undefined),
  };
}

/** From version 2 on every record has the version of its shape, so that the next change can distinguish old from new. */
export const recordShapes: Migration = {
  version: 2,
  name: "say-shapes",
  steps: Object.entries(withoutShape).map(stepOf),
};
