import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import { addUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { withMemberRun } from "../run/member-run.ts";
import type { MemberRun, RunState, Withheld } from "../run/run-state.ts";

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
  /** Adds the usage of a model call that a tool made. */
  readonly addUsage: (usage: Usage) => void;
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
    addUsage(usage) {
      state = { ...state, usage: addUsage(state.usage, usage) };
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
