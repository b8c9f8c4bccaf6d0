import type { TableName } from "../../shared/settings/table-env.ts";
import { tableNames } from "../../shared/settings/table-env.ts";
import type { RowRule } from "./copy-table.ts";
import { rebuiltContents } from "./restored-content.ts";

/**
 * Tables that stay as they are unless they are asked for: a token that was revoked must not work again, and what the audit
 * says has happened, whatever is restored.
 */
export const leftByDefault = ["service_accounts", "audit"] as const satisfies readonly TableName[];

/** @param include  further tables, of those that are left by default */
export const restoredTables = (include: readonly string[] = []): readonly TableName[] =>
  tableNames.filter((name) => include.includes(name) || !leftByDefault.some((left) => left === name));

/** Without the record of the last comparison, the next one is due at once. */
const uncompared: RowRule = {
  wanted: (then, present) => ((then ?? present)?.pk?.S === "comparison" ? undefined : then),
};

/** What of a table is not restored as it was. @param now epoch seconds */
export function ruleOf(table: TableName, hasVectorBucket: boolean, now: number): RowRule | undefined {
  if (table === "schedules") return uncompared;
  if (table === "knowledge" && hasVectorBucket) return rebuiltContents(now);
  return undefined;
}

/** Name of the table that a table's past is restored into. */
export const copyName = (stage: string, to: Date, table: string): string =>
  `agent-platform-${stage}-restore-${to.toISOString().replace(/[-:]|\.\d+/g, "")}-${table}`;
