import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { Permission } from "./policy.ts";

/** Called when a caller uses a permission for the first time. */
export type RecordUse = (caller: string, permission: Permission) => void;

/**
 * Records which permissions functions use, for the report of unused permissions (`npm run grants`). Each thread writes
 * its own file, with one line per first use.
 *
 * @param folder  undefined: no record
 */
export function openGrantsRecord(folder: string | undefined): RecordUse | undefined {
  if (!folder) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${process.pid}-${threadId}.tsv`);
  return (caller, { action, resource }) => appendFileSync(file, `${caller}\t${action}\t${resource}\n`);
}
