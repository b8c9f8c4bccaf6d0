import type { DailyBudget } from "./budget/budget-port.ts";
import type { EnginePorts } from "./run-request.ts";
import type { ToolLedger } from "./tool-ledger.ts";

type Naming = Pick<EnginePorts, "ledger" | "dailyBudget">;

/**
 * The ports under which calls are named, for a run within another: what it names is named apart from what the run
 * around it and its neighbours name, because models number their calls alike.
 */
export const nestedPorts = (run_id: string, { ledger, dailyBudget }: Naming): Naming => ({
  ...(ledger && { ledger: ledgerOf(run_id, ledger) }),
  ...(dailyBudget && { dailyBudget: budgetOf(run_id, dailyBudget) }),
});

const ledgerOf = (run_id: string, ledger: ToolLedger): ToolLedger => ({
  start: (call) => ledger.start(`${run_id}/${call}`),
  startAgain: (call, starts) => ledger.startAgain(`${run_id}/${call}`, starts),
  end: (call, answer) => ledger.end(`${run_id}/${call}`, answer),
});

const budgetOf = (run_id: string, { limits, reserve }: DailyBudget): DailyBudget => ({
  limits,
  reserve: (call, atMost, allowed) => reserve(`${run_id}/${call}`, atMost, allowed),
});
