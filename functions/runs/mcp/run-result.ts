import * as v from "valibot";
import { openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import { FinishReason } from "../../../shared/schemas/runs/finish-reason.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

/** What tools about runs answer. */
export const RunResult = v.object({
  run_id: v.string(),
  session_id: v.string(),
  status: v.picklist(["PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "ERROR", "REGENERATED"]),
  /** Text, or a value of the output schema. */
  content: v.optional(v.unknown()),
  /** Why a run failed whose answer broke off. */
  error: v.optional(v.string()),
  /** Why the model did not end its answer itself. */
  finish_reason: v.optional(FinishReason),
  /** What a paused run waits for; `continue_run` takes the answers. */
  waits_for: v.optional(
    v.array(
      v.object({
        id: v.string(),
        reason: v.string(),
        message: v.optional(v.string()),
        tool: v.optional(v.object({ name: v.string(), args: v.unknown() })),
        answer_schema: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
  ),
  hint: v.optional(v.string()),
});
export type RunResult = v.InferOutput<typeof RunResult>;

const hints: Partial<Record<StoredRun["status"], string>> = {
  PENDING: "The run goes on in the background; call get_run for its answer.",
  RUNNING: "The run goes on in the background; call get_run for its answer.",
  PAUSED: "The run waits; call continue_run with an answer for each entry of waits_for.",
};

export function runResult(run: StoredRun): RunResult {
  const { run_id, session_id, status, output } = run;
  const hint = hints[status];
  const open = status === "PAUSED" ? openInterrupts(run) : [];
  return {
    run_id,
    session_id,
    status,
    ...(output.content !== undefined && { content: output.content }),
    ...(output.error !== undefined && { error: output.error }),
    ...(output.finish_reason !== undefined && { finish_reason: output.finish_reason }),
    ...(open.length > 0 && {
      waits_for: open.map(({ interrupt, call }) => ({
        id: interrupt.id,
        reason: interrupt.reason,
        ...(interrupt.message !== undefined && { message: interrupt.message }),
        ...(call && { tool: { name: call.name, args: call.args } }),
        ...(interrupt.responseSchema && { answer_schema: interrupt.responseSchema }),
      })),
    }),
    ...(hint !== undefined && { hint }),
  };
}
