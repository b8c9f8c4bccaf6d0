import type { DailyBudget } from "../ports/budget-port.ts";
import type { ToolLedger } from "../ports/tool-ledger.ts";
import type { RunRequest } from "./run-request.ts";
import type { SlicePorts } from "./slice-ports.ts";

/**
 * The ports of a run that is part of another. Both use one ledger and one budget, and models may give the same ids to
 * the calls of both, so the keys of this run are prefixed with its id.
 */
export function withOwnKeys(ports: SlicePorts, { run_id, parent_run_id }: RunRequest): SlicePorts {
  if (parent_run_id === undefined) return ports;
  const { ledger, dailyBudget } = ports;
  return {
    ...ports,
    ...(ledger && { ledger: ledgerOf(run_id, ledger) }),
    ...(dailyBudget && { dailyBudget: budgetOf(run_id, dailyBudget) }),
  };
}

const ledgerOf = (run_id: string, ledger: ToolLedger): ToolLedger => ({
  start: (call) => ledger.start(`${run_id}/${call}`),
  startAgain: (call, starts) => ledger.startAgain(`${run_id}/${call}`, starts),
  end: (call, answer) => ledger.end(`${run_id}/${call}`, answer),
});

const budgetOf = (run_id: string, { reserve, ...rest }: DailyBudget): DailyBudget => ({
  ...rest,
  reserve: (call, atMost, raised) => reserve(`${run_id}/${call}`, atMost, raised),
});
