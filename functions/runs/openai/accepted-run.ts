import * as v from "valibot";
import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { type Component, type RunsDeps, visibleRun } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

const Accepted = v.object({ body: v.object({ run_id: v.string(), session_id: v.string() }) });

/** The run that the queue has accepted, or that it had accepted before under the same key. */
export function acceptedRun(
  answer: unknown,
  { component, principal }: { readonly component: Component; readonly principal: Principal },
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<StoredRun> {
  const { run_id, session_id } = v.parse(Accepted, answer).body;
  return visibleRun(db, callerOf(principal), { component, run_id, session_id }, epochSeconds(clock));
}
