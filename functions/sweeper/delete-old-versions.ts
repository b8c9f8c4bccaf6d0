import { oldVersions } from "../../shared/domain/jobs/old-versions.ts";
import { type FunctionVersions, LIVE_ALIAS } from "../../shared/runtime/functions/function-versions.ts";
import type { Log } from "../../shared/runtime/log.ts";

export type VersionDeps = {
  /** Of the worker. */
  readonly versions: Pick<FunctionVersions, "list" | "getAliased" | "delete">;
  readonly log: Pick<Log, "info">;
  readonly settings: { readonly RUN_PIN_DAYS: number };
};

const HOUR_SECONDS = 3_600;
const SWEEP_SECONDS = 60;

/** Versions are looked at once an hour: in the first round of it. A round that is missed is made up for in the next hour. */
export const isHourly = (now: number): boolean => now % HOUR_SECONDS < SWEEP_SECONDS;

/**
 * Deletes versions of the worker that were replaced for longer than runs stay pinned. A run that is pinned to one of them
 * continues with the live version if its component's revision is the same, else it fails visibly.
 *
 * @param now  epoch seconds
 * @returns how many were deleted
 */
export async function deleteOldVersions(
  { versions, log, settings }: VersionDeps,
  now: number,
): Promise<number> {
  // The alias first: what is published between the two requests is newer, and is left alone.
  const live = await versions.getAliased(LIVE_ALIAS);
  const old = oldVersions(await versions.list(), live, settings.RUN_PIN_DAYS, now);
  for (const version of old) await versions.delete(version);
  if (old.length > 0) log.info("old versions of the worker deleted", { versions: old, live });
  return old.length;
}
