import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import { addUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import { withMemberRun } from "../run/member-run.ts";
import type { MemberRun, RunState } from "../run/run-state.ts";
import { withSessionState } from "../run/with-session-state.ts";

/**
 * What a run is while a batch of its tool calls is being settled. Calls of one batch go on side by side and share it;
 * `state` is at every moment a value that another process could go on from.
 */
export type Batch = {
  readonly state: () => RunState;
  readonly putCall: (call: ToolExecution) => void;
  /** Puts what a call gave beside its text; to be called before the call is put with its result. */
  readonly putMedia: (call: ToolExecution, media: OutputMedia | undefined) => void;
  readonly putRun: (run: MemberRun) => void;
  readonly putTasks: (tasks: TeamTasks) => void;
  /** Counts what a model used for a call on the side. */
  readonly addUsage: (usage: Usage) => void;
  /** Keeps the state as it is when its turn comes. @throws what made a write fail, from then on */
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
    putTasks(tasks) {
      state = { ...state, tasks };
    },
    addUsage(usage) {
      state = { ...state, usage: addUsage(state.usage, usage) };
    },
    saveCheckpoint: oneAtATime(async () =>
      execution.ports.saveCheckpoint?.(withSessionState(state, execution)),
    ),
  };
}

/**
 * Writes one after the other, so that an older state never takes the place of a newer one. Whoever comes while a write
 * is under way shares the next.
 */
function oneAtATime(write: () => Promise<void>): () => Promise<void> {
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
