import { ServiceError } from "../../errors.ts";
import type { SessionPolicy } from "../../schemas/sessions/session-policy.ts";

/** What has to happen for a run to start in its session. */
export type AdmissionPlan = {
  /** Runs that are cancelled for it. */
  readonly interrupts: readonly string[];
  /** Runs that must have ended before it is executed. */
  readonly waits_for: readonly string[];
};

/**
 * Decides how a run starts in a session where other runs are live.
 *
 *   parallel    at the same time
 *   queue       after them
 *   steer       after them, where none of them has taken it as a message
 *   reject      not at all
 *   interrupt   instead of them: they are cancelled, and it starts when they have ended
 *
 * @param live  ids of the session's live runs, the newest first
 * @throws      ServiceError CONFLICT, naming a live run, where the policy is to reject
 * @decided     ours; the interface has no such field, and its default is that runs of a session may overlap
 */
export function planAdmission(policy: SessionPolicy, live: readonly string[]): AdmissionPlan {
  const [newest] = live;
  if (policy === "parallel" || newest === undefined) return { interrupts: [], waits_for: [] };
  if (policy === "reject") {
    throw new ServiceError(
      "CONFLICT",
      `run ${newest} of this session has not ended; wait for it, or submit with session_policy=queue or interrupt`,
    );
  }
  return { interrupts: policy === "interrupt" ? live : [], waits_for: live };
}
