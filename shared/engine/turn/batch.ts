import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import { addUsage, noUsage, type Usage } from "../model/usage.ts";
import type { ToolAnswer } from "../ports/engine-ports.ts";
import type { Execution } from "../run/execution.ts";
import { secondsBetween } from "../run/metrics.ts";
import { type MemberRun, type RunState, type Withheld, withMemberRun } from "../run/run-state.ts";

/**
 * The state of a run while a batch of its tool calls is executed. The calls of a batch run concurrently and share it;
 * `state` is at every moment a value that another process could resume from.
 */
export type Batch = {
  readonly state: () => RunState;
  readonly putCall: (call: ToolExecution) => void;
  /** Adds a call's files; to be called before `putCall` with its result. */
  readonly putMedia: (call: ToolExecution, media: OutputMedia | undefined) => void;
  readonly putRun: (run: MemberRun) => void;
  /** A guard has refused an answer of the batch: the run ends with it. */
  readonly putWithheld: (withheld: Withheld) => void;
  readonly putTasks: (tasks: TeamTasks) => void;
  /** Adds the usage of a model call that a tool made. @param spec given where the model is not the agent's own */
  readonly addUsage: (usage: Usage, spec?: string) => void;
  /** Saves the state, one write after the other. @throws once a write has failed, its error, also in later calls */
  readonly saveCheckpoint: () => Promise<void>;
};

export function openBatch(from: RunState, execution: Execution): Batch {
  let state = from;
  return {
    state: () => state,
    putCall(call) {
      const tools = state.tools.map((one) => (one.tool_call_id === call.tool_call_id ? call : one));
      state = { ...state, tools };
    },
    putMedia({ tool_call_id }, media) {
      if (!media || Object.keys(media).length === 0) return;
      state = { ...state, media: { ...state.media, [tool_call_id]: media } };
    },
    putRun(run) {
      state = withMemberRun(state, run);
    },
    putWithheld({ hook, fault }) {
      state = { ...state, withheld: { hook, fault: { ...fault, thrown: undefined } } };
    },
    putTasks(tasks) {
      state = { ...state, tasks };
    },
    addUsage(usage, spec) {
      const { used_by = {} } = state;
      const by =
        spec === undefined
          ? {}
          : { used_by: { ...used_by, [spec]: addUsage(used_by[spec] ?? noUsage, usage) } };
      state = { ...state, ...by, usage: addUsage(state.usage, usage) };
    },
    saveCheckpoint: serialized(async () => execution.ports.saveCheckpoint?.(state)),
  };
}

/**
 * Runs writes one after the other, so that an older state never overwrites a newer one. Callers that arrive during a
 * write share the next one.
 */
function serialized(write: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last = last.then(() => {
      next = undefined;
      return write();
    });
    return next;
  };
}

/** Emits start and end of a call that is answered already. */
export const emitCall = (call: ToolExecution, answer: ToolAnswer, execution: Execution): ToolExecution =>
  emitCallStarted(call, execution)(answer);

/** Emits that a call starts. @returns a function that emits its end and returns the call with its result */
export function emitCallStarted(
  call: ToolExecution,
  execution: Execution,
): (answer: ToolAnswer, ended?: ToolExecution) => ToolExecution {
  execution.emit({ event: "ToolCallStarted", tool: call });
  const startMs = execution.ports.clock.now();
  return (answer, ended = call) => emitCallEnd(ended, answer, startMs, execution);
}

/** Emits how a call ended. @param startMs epoch milliseconds */
export function emitCallEnd(
  call: ToolExecution,
  answer: ToolAnswer,
  startMs: number,
  { emit, ports }: Execution,
): ToolExecution {
  const metrics = toolMetrics(startMs, ports.clock.now());
  const { attempts } = call.metrics ?? {};
  const done = {
    ...call,
    result: answer.text,
    tool_call_error: answer.failed,
    metrics: { ...metrics, ...(attempts !== undefined && { attempts }) },
  };
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
export const toolMetrics = (startMs: number, endMs: number) => ({
  start_time: startMs / 1000,
  end_time: endMs / 1000,
  duration: secondsBetween(startMs, endMs),
});

function summary({ tool_name, tool_args }: ToolExecution, outcome: string, seconds: number): string {
  const args = Object.entries(tool_args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${tool_name}(${args.join(", ")}) ${outcome} in ${seconds.toFixed(4)}s.`;
}
