import type { FailureCause } from "../../domain/failure-cause.ts";
import type { RunOutput } from "../../schemas/run.ts";
import type { RunState } from "../run-state.ts";

/** A member's run as the run of its team remembers it: plain JSON, like the state that it is part of. */
export type MemberRun = {
  readonly run_id: string;
  readonly member_id: string;
  /** The leader's call that asked for it. */
  readonly tool_call_id: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Where it goes on; absent before its first step, and once it has ended. */
  readonly state?: RunState;
  /** Given while it waits for a person, and once it has ended. */
  readonly output?: RunOutput;
  /** Given once it has failed. */
  readonly cause?: FailureCause;
  /** Whether the call has told of its end already, because a person had to be asked. */
  readonly told?: boolean;
};
