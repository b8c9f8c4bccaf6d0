import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import type { Execution } from "../run/execution.ts";
import { secondsBetween } from "../run/metrics.ts";

/** Emits start and end of a call that is answered already. */
export const emitCall = (call: ToolExecution, answer: ToolAnswer, execution: Execution): ToolExecution =>
  emitCallStarted(call, execution)(answer);

/** Emits that a call starts. @returns a function that emits its end and returns the call with its result */
export function emitCallStarted(
  call: ToolExecution,
  execution: Execution,
): (answer: ToolAnswer) => ToolExecution {
  execution.emit({ event: "ToolCallStarted", tool: call });
  const startMs = execution.ports.clock.now();
  return (answer) => emitCallEnd(call, answer, startMs, execution);
}

/** Emits how a call ended. @param startMs epoch milliseconds */
export function emitCallEnd(
  call: ToolExecution,
  answer: ToolAnswer,
  startMs: number,
  { emit, ports }: Execution,
): ToolExecution {
  const metrics = toolMetrics(startMs, ports.clock.now());
  const done = { ...call, result: answer.text, tool_call_error: answer.failed, metrics };
  const outcome = answer.failed ? "failed" : "completed";
  const content = summary(done, outcome, metrics.duration);
  emit({ event: "ToolCallCompleted", tool: done, content, ...answer.media });
  if (answer.failed) emit({ event: "ToolCallError", tool: done, error: answer.text });
  return done;
}

/**
 * Emits the completion of a call that cannot proceed before a person answers. It has no result yet, and no second
 * completion is emitted when it has one.
 *
 * @param startMs  epoch milliseconds
 */
export function emitCallWaiting(call: ToolExecution, startMs: number, { emit, ports }: Execution): void {
  const seconds = secondsBetween(startMs, ports.clock.now());
  emit({ event: "ToolCallCompleted", tool: call, content: summary(call, "waits for a person", seconds) });
}

/** Instants in epoch seconds with fractions, duration in seconds. */
const toolMetrics = (startMs: number, endMs: number) => ({
  start_time: startMs / 1000,
  end_time: endMs / 1000,
  duration: secondsBetween(startMs, endMs),
});

function summary({ tool_name, tool_args }: ToolExecution, outcome: string, seconds: number): string {
  const args = Object.entries(tool_args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${tool_name}(${args.join(", ")}) ${outcome} in ${seconds.toFixed(4)}s.`;
}
