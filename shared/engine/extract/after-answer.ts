import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Execution } from "../run/execution.ts";
import type { RoleUsage } from "../run/metrics.ts";
import type { RunState } from "../run/run-state.ts";
import { suggestFollowups } from "./followups.ts";
import { learnFromRun } from "./learn-from-run.ts";
import { rememberRun } from "./remember-run.ts";
import { summarizeSession } from "./summaries.ts";

/** What a run adds after its answer, before it ends. */
export type AfterAnswer = {
  readonly session_summary?: SessionSummary;
  readonly followups?: string[];
  readonly usages: readonly RoleUsage[];
};

/** Does what the agent's settings ask for after the answer. @throws the signal's reason */
export async function afterAnswer(state: RunState, execution: Execution): Promise<AfterAnswer> {
  const { agent } = execution;
  const remembered = agent.update_memory_on_run ? await rememberRun(state, execution) : undefined;
  const learned = await learnFromRun(state, execution);
  const summarized = agent.enable_session_summaries ? await summarizeSession(state, execution) : {};
  const suggested = agent.followups ? await suggestFollowups(state, execution) : undefined;
  return {
    ...(summarized.session_summary && { session_summary: summarized.session_summary }),
    ...(suggested && { followups: suggested.followups }),
    usages: [
      ...(remembered ? [{ role: "memory_model" as const, usage: remembered.usage }] : []),
      ...(learned ? [{ role: "learning_model" as const, usage: learned }] : []),
      ...(summarized.answer
        ? [{ role: "session_summary_model" as const, usage: summarized.answer.usage }]
        : []),
      ...(suggested?.answer ? [{ role: "followup_model" as const, usage: suggested.answer.usage }] : []),
    ],
  };
}
