import { ServiceError } from "../../../errors.ts";
import type { StoredRun } from "../../../stores/runs/run-item.ts";

/**
 * A workflow's run can be continued only from a pause, with the answers that it waits for.
 *
 * @throws ServiceError CONFLICT for a run in any other state
 */
export function refuseUnlessPaused({ status, run_id }: StoredRun): "resume" {
  if (status === "PAUSED") return "resume";
  throw new ServiceError(
    "CONFLICT",
    `workflow run ${run_id} is ${status}; only a paused one can be continued`,
  );
}
