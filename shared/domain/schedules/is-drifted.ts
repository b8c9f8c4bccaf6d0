import type { Schedule } from "../../schemas/schedules/schedule.ts";
import { runTarget } from "./run-target.ts";

export type Managed = Pick<Schedule, "managed_by" | "target_type" | "target_id" | "method" | "endpoint">;

/**
 * Whether a managed schedule calls something else than the component that it was created for.
 *
 * @source docs/interface/schedules.md 4.2
 */
export function isDrifted({ managed_by, target_type, target_id, method, endpoint }: Managed): boolean {
  if (managed_by === null) return false;
  const target = runTarget(method, endpoint);
  return target?.type !== target_type || target?.id !== target_id;
}

/** Why a drifted schedule does not run: for its record, and as the reason why it is disabled. */
export function driftOf(
  schedule: Managed,
): { readonly reason: string; readonly disabledReason: string } | undefined {
  if (!isDrifted(schedule)) return undefined;
  const { endpoint, target_type, target_id } = schedule;
  return {
    disabledReason: `endpoint_drift:${endpoint}!=${target_type}:${target_id}`,
    reason: `the schedule was made to run ${target_type} ${target_id}, and its endpoint is ${endpoint}`,
  };
}
