import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { StateView } from "../ports/session-state.ts";
import type { Execution } from "../run/execution.ts";
import { type Batch, toolMetrics } from "./batch.ts";
import { callTool, type ToolCallOutcome } from "./call-tool.ts";
import type { ToolCallPlan } from "./record-turn.ts";

type Called = {
  readonly outcome: ToolCallOutcome;
  /** With the number of attempts, where there was more than one. */
  readonly call: ToolExecution;
  /** What the last attempt has changed in the session's state. */
  readonly sessionState: StateView;
};

/**
 * Runs a tool's code, again where it fails and the tool allows it. The attempts are counted in the run's state, so that
 * another process does not begin to count again.
 *
 * @param work  names what the call changes in the session's state; an attempt that failed leaves nothing there
 */
export async function callUntilAnswered(
  plan: Extract<ToolCallPlan, { runs: true }>,
  begun: ToolExecution,
  work: string,
  batch: Batch,
  execution: Execution,
): Promise<Called> {
  const { clock, signal } = execution.ports;
  const { retries = 0 } = plan.tool;
  let call = begun;
  for (;;) {
    const sessionState = execution.sessionState.open(work);
    const outcome = await callTool(plan, call, batch, execution, sessionState);
    const attempts = call.metrics?.attempts ?? 1;
    if (outcome.ended === "stopped" || outcome.ended === "waits") return { outcome, call, sessionState };
    if (!outcome.answer.failed || attempts > retries) return { outcome, call, sessionState };
    const now = clock.now();
    call = { ...call, metrics: { ...toolMetrics(now, now), attempts: attempts + 1 } };
    batch.putCall(call);
    await batch.saveCheckpoint();
    // An abort that ends the wait ends the next attempt too.
    await clock.sleep(waitBefore(attempts, work), signal).catch(() => undefined);
  }
}

const LONGEST_WAIT_MS = 30_000;

/**
 * Between half of a time that doubles from a second on, and all of it. Where in between follows from the call, so that calls
 * that failed together are not repeated together, and every process waits the same.
 *
 * @param failures  how often the call has failed
 */
export function waitBefore(failures: number, key: string): number {
  const most = Math.min(1000 * 2 ** (failures - 1), LONGEST_WAIT_MS);
  const [byte = 0] = createHash("sha256").update(`${key}#${failures}`).digest();
  return Math.round(most * (0.5 + byte / 510));
}
