import { runTarget } from "../../shared/domain/schedules/run-target.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

/**
 * Refuses a schedule of something that cannot be run.
 *
 * @throws ServiceError CONFLICT
 * @source contract, schedules sections 3 and 7
 */
export async function requireUsableTarget(
  { method, endpoint }: { readonly method: string; readonly endpoint: string },
  { componentState }: Pick<SchedulesDeps, "componentState">,
): Promise<void> {
  const target = runTarget(method, endpoint);
  const state = target ? await componentState(target) : "usable";
  if (!target || state === "usable") return;
  const why =
    state === "archived" ? "is archived; restore it first" : "has no published version; publish one first";
  throw new ServiceError("CONFLICT", `${target.type} ${target.id} ${why}`);
}
