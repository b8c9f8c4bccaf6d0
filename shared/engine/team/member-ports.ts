import type { DailyBudget } from "../budget/budget-port.ts";
import type { SlicePorts } from "../slice-ports.ts";
import type { ToolLedger } from "../tool-ledger.ts";
import type { MemberRun } from "./member-run.ts";
import type { LeadScope } from "./team-tool.ts";

/**
 * What a member's run needs from outside, by way of its team's run: what it keeps is kept within the team's state, and
 * what it names is named apart from what the leader and other members name.
 */
export function memberPorts(run: MemberRun, { team, batch, execution }: LeadScope): SlicePorts {
  const { continues: _, ledger, dailyBudget, ...ports } = execution.ports;
  const { run_id } = run;
  return {
    ...ports,
    emit: team.stream_member_events ? ports.emit : () => undefined,
    sessionState: execution.sessionState,
    ...(ledger && { ledger: ledgerOf(run_id, ledger) }),
    ...(dailyBudget && { dailyBudget: budgetOf(run_id, dailyBudget) }),
    ...(run.output?.status === "PAUSED" && !ports.signal.aborted && { continues: true }),
    keep(state) {
      const { output, answered = output?.requirements, ...rest } = run;
      batch.putRun({ ...rest, state, ...(answered && { answered }) });
      return batch.keep();
    },
  };
}

const ledgerOf = (run_id: string, ledger: ToolLedger): ToolLedger => ({
  start: (call) => ledger.start(`${run_id}/${call}`),
  startAgain: (call, starts) => ledger.startAgain(`${run_id}/${call}`, starts),
  end: (call, answer) => ledger.end(`${run_id}/${call}`, answer),
});

const budgetOf = (run_id: string, { limits, reserve }: DailyBudget): DailyBudget => ({
  limits,
  reserve: (call, atMost, allowed) => reserve(`${run_id}/${call}`, atMost, allowed),
});
