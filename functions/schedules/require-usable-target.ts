import { neverCallable } from "../../shared/auth/schedules/never-callable.ts";
import { runTarget } from "../../shared/domain/schedules/run-target.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";

/**
 * Refuses a schedule of something that cannot be run.
 *
 * @throws ServiceError CONFLICT; UNPROCESSABLE for a call that no schedule can make
 * @source docs/interface/schedules.md 2.2
 */
export async function requireUsableTarget(
  { method, endpoint }: { readonly method: string; readonly endpoint: string },
  { componentState }: Pick<SchedulesDeps, "componentState">,
): Promise<void> {
  const target = runTarget(method, endpoint);
  const never = target ? undefined : neverCallable(method, endpoint.split("?")[0] ?? "");
  if (never !== undefined) throw new ServiceError("UNPROCESSABLE", never);
  const state = target ? await componentState(target) : "usable";
  if (!target || state === "usable") return;
  if (state === "missing") throw new ServiceError("UNPROCESSABLE", `there is no ${target.type} ${target.id}`);
  const why =
    state === "archived" ? "is archived; restore it first" : "has no published version; publish one first";
  throw new ServiceError("CONFLICT", `${target.type} ${target.id} ${why}`);
}
