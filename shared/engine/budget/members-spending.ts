import type { RunOutput } from "../../schemas/runs/run.ts";
import type { Spending } from "../ports/budget-port.ts";
import type { RunState } from "../run/run-state.ts";

/**
 * What the runs of a team's members, and the runs within them, have spent so far. The cost of a run in progress is not
 * known; it is counted when the run has ended.
 */
export function membersSpending({ members = [] }: Pick<RunState, "members">): Spending {
  return sum(
    members.map(({ output, state }) => {
      if (output) return spendingIn(output);
      if (!state) return nothing;
      const { input_tokens, output_tokens } = state.usage;
      return sum([{ tokens: input_tokens + output_tokens, cost: 0 }, membersSpending(state)]);
    }),
  );
}

const nothing: Spending = { tokens: 0, cost: 0 };

function spendingIn({ metrics = {}, member_responses = [] }: RunOutput): Spending {
  const { total_tokens: tokens = 0, cost = 0 } = metrics;
  return sum([{ tokens, cost }, ...member_responses.map(spendingIn)]);
}

const sum = (all: readonly Spending[]): Spending => ({
  tokens: all.reduce((total, { tokens }) => total + tokens, 0),
  cost: all.reduce((total, { cost }) => total + cost, 0),
});
