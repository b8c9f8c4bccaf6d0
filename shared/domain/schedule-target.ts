import type { Schedule, ScheduleTarget, TargetType } from "../schemas/schedule.ts";

const typeOf: Readonly<Record<string, TargetType>> = { agents: "agent", teams: "team", workflows: "workflow" };

/**
 * The component that a call runs; undefined for a call of anything else.
 *
 * @source contract, schedules section 6
 */
export function targetOf({ method, endpoint }: Pick<Schedule, "method" | "endpoint">): ScheduleTarget | undefined {
  const [, kind = "", id = ""] = /^\/(agents|teams|workflows)\/([^/?#]+)\/runs\/?$/.exec(endpoint) ?? [];
  const type = typeOf[kind];
  return method === "POST" && type !== undefined ? { type, id: decodeURIComponent(id) } : undefined;
}

/** Whether a managed schedule calls something else than the component that it was made for. */
export function isDrifted(
  schedule: Pick<Schedule, "managed_by" | "target_type" | "target_id" | "method" | "endpoint">,
): boolean {
  if (schedule.managed_by === null) return false;
  const target = targetOf(schedule);
  return target?.type !== schedule.target_type || target?.id !== schedule.target_id;
}
