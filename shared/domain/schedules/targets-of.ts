import type { Schedule, ScheduleTarget } from "../../schemas/schedules/schedule.ts";
import { runTarget } from "./run-target.ts";

type Targeting = Pick<Schedule, "method" | "endpoint" | "target_type" | "target_id">;

/** The components that a schedule targets, each once: by its endpoint, and by its provenance. */
export function targetsOf({ method, endpoint, target_type, target_id }: Targeting): ScheduleTarget[] {
  const run = runTarget(method, endpoint);
  if (target_type === null || target_id === null) return run ? [run] : [];
  const managed = { type: target_type, id: target_id };
  return run && !(run.type === managed.type && run.id === managed.id) ? [managed, run] : [managed];
}
