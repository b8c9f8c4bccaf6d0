import { epochSeconds } from "../../shared/runtime/clock.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { recoverStaleJobs } from "./recover-stale-jobs.ts";
import { resendLostMessages } from "./resend-lost-messages.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";

/** One round: what silent workers left behind first, then queued jobs that nobody will be told about. */
export async function sweep(deps: SweeperDeps): Promise<Swept> {
  const now = epochSeconds(deps.clock);
  const recovered = await recoverStaleJobs(deps, now);
  const resent = await resendLostMessages(deps, now);
  const expired = await expireApprovals(deps, now);
  const swept = { ...recovered, resent, expired };
  if (Object.values(swept).some((n) => n > 0)) deps.log.info("swept", swept);
  return swept;
}
