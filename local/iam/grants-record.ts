import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { Permission } from "./policy.ts";

/** Told of a permission when a caller uses it for the first time. */
export type TakeUse = (caller: string, permission: Permission) => void;

/**
 * Keeps which permissions functions use, for the report of those that nobody does (`npm run grants`): a line for each
 * first use, in a file of this thread's own.
 *
 * @param folder  undefined where nobody asked for a record
 */
export function openGrantsRecord(folder: string | undefined): TakeUse | undefined {
  if (!folder) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}-${threadId}.tsv`);
  return (caller, { action, resource }) => appendFileSync(file, `${caller}\t${action}\t${resource}\n`);
}
