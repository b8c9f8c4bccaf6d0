import { ServiceError } from "../../errors.ts";
import { type RunStatus, runStatuses } from "../../schemas/runs/run.ts";

/**
 * The statuses that a request names, in any case.
 *
 * @throws ServiceError BAD_REQUEST for an unknown one: taken for none, it would answer every run
 */
export function runStatusesOf(asked: readonly string[]): ReadonlySet<RunStatus> {
  const statuses = asked.map((text) => {
    const status = runStatuses.find((name) => name === text.toUpperCase());
    if (!status) {
      throw new ServiceError("BAD_REQUEST", `unknown status ${text}; known are ${runStatuses.join(", ")}`);
    }
    return status;
  });
  return new Set(statuses);
}
