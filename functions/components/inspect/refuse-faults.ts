import { missingScopesText } from "../../../shared/auth/require-run.ts";
import { type Fault, ServiceError } from "../../../shared/errors.ts";
import { GATE_PATH } from "./gate-faults.ts";
import type { Inspected } from "./inspect-version.ts";

/**
 * Refuses a version that must not be stored, or that cannot run and would be live.
 *
 * @param force  whether one that cannot run goes live all the same
 * @throws ServiceError as the first refusal says, else UNPROCESSABLE; with everything that was found
 */
export function refuseFaults(
  { refusals, missingScopes, faults }: Pick<Inspected, "refusals" | "missingScopes" | "faults">,
  force: boolean,
): void {
  const [first] = refusals;
  if (!first) {
    refuseBroken(faults, force);
    return;
  }
  const detail = first.error_code === "UNAUTHORIZED" ? missingScopesText(missingScopes) : first.message;
  throw new ServiceError(first.error_code, detail, { faults: [...refusals, ...faults] });
}

/**
 * Refuses to make live what cannot run, or has not passed its evaluation.
 *
 * @throws ServiceError UNPROCESSABLE with the faults, unless it is forced
 */
export function refuseBroken(faults: readonly Fault[], force: boolean): void {
  if (faults.length === 0 || force) return;
  const canRun = faults.every(({ path }) => path === GATE_PATH);
  const detail = `${canRun ? "it may not be published yet" : "it cannot run"}: ${faults.map(({ message }) => message).join("; ")}`;
  throw new ServiceError("UNPROCESSABLE", `${detail}. With force=true it goes live anyway.`, {
    faults,
  });
}
