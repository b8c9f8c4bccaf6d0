import type { Answer } from "../model/collect-answer.ts";
import { transcript } from "../prompt/transcript.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { queryModel } from "./query-model.ts";

export type Followups = { readonly followups: string[]; readonly answer?: Answer };

/**
 * Suggests what the user may ask next.
 *
 * @returns no more questions than the agent wants; none when the model gave none
 * @throws  the signal's reason
 */
export async function suggestFollowups(state: RunState, execution: Execution): Promise<Followups> {
  const { agent, emit } = execution;
  emit({ event: "FollowupsStarted" });
  const question = {
    name: "followups",
    task: `Write ${agent.num_followups} short questions that the user may want to ask next, one on each line and nothing else.`,
    material: transcript(state.messages.filter(({ from_history }) => !from_history)),
  };
  const answer = await queryModel(question, state, execution);
  const followups = answer ? linesOf(answer.text).slice(0, agent.num_followups) : [];
  emit({ event: "FollowupsCompleted", followups });
  return { followups, ...(answer && { answer }) };
}

/** Models number their lines in spite of the instruction. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "");
