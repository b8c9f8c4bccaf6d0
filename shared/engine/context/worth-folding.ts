import type { Message } from "../../schemas/runs/run.ts";
import type { CompactionSettings } from "../model/windows.ts";
import type { Execution } from "../run/execution.ts";
import { sizeOf } from "../run/prompt-size.ts";

/** A summary has about the same length whatever it stands for: so much longer than the rest is what is worth one. */
const USUAL_RATIO = 2;

/**
 * Whether enough leaves a prompt, beside what stays in it, for its agent to have it summed up. Results that are shown by their heads do not
 * count: those heads are all that is left of them.
 *
 * @param gone  what leaves it and no summary stands for yet, as the model is shown it
 */
export async function isWorthFolding(
  gone: readonly Message[],
  stays: readonly Message[],
  { enforce_min_fold_ratio = false, min_fold_ratio = USUAL_RATIO }: CompactionSettings,
  execution: Execution,
): Promise<boolean> {
  if (!enforce_min_fold_ratio) return true;
  const whole = (messages: readonly Message[]) => messages.filter(({ stored_result }) => !stored_result);
  const folded = await sizeOf(whole(gone), execution);
  return folded >= min_fold_ratio * Math.max(1, await sizeOf(whole(stays), execution));
}
