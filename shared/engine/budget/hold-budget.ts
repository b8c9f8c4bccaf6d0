import type { RunFault } from "../model/model-fault.ts";
import type { Usage } from "../model/usage.ts";
import type { DailyBudget, Payer, Spending, SpendingLimits } from "../ports/budget-port.ts";
import type { BudgetLimit, BudgetQuestion } from "../run/budget-question.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { raisedTo } from "./budget-call.ts";
import { membersSpending } from "./members-spending.ts";
import { isBudgeted } from "./output-limit.ts";
import { mostSpendingOf, spendingOf, UNPRICED } from "./spending.ts";

export type Held =
  | { readonly held: true; readonly settle: (used: Usage) => Promise<void> }
  | { readonly held: false; readonly question: BudgetQuestion }
  /** No person can help: the budget cannot be enforced. */
  | { readonly held: false; readonly fault: RunFault };

const noHold: Held = { held: true, settle: async () => undefined };

/**
 * Makes sure that a model call stays within every budget, before it is made. The run's own spending is in its state,
 * which one worker writes at a time; a user's spending of the day is held in the store by one conditional write.
 *
 * @param call  unique for the call within its run
 */
export async function holdBudget(
  state: RunState,
  atMost: Usage,
  call: string,
  execution: Execution,
): Promise<Held> {
  if (!isBudgeted(execution)) return noHold;
  if (!hasPrice(execution)) return { held: false, fault: unpriced };
  const needed = mostSpendingOf(atMost, execution.model.price);
  const own = exceededRunLimit(state, needed, execution);
  if (own) return { held: false, question: own };
  const { dailyBudget } = execution.ports;
  return dailyBudget ? holdDaily(state, needed, call, dailyBudget, execution) : noHold;
}

async function holdDaily(
  state: RunState,
  needed: Spending,
  call: string,
  daily: DailyBudget,
  execution: Execution,
): Promise<Held> {
  const reserved = await daily.reserve(call, needed, {
    user: raisedLimits(state, "user"),
    account: raisedLimits(state, "account"),
  });
  if (reserved.granted) {
    return { held: true, settle: (used) => reserved.settle(spendingOf(used, execution.model.price)) };
  }
  const { payer, limits, spent } = reserved;
  const question =
    exceeding(`daily_tokens_per_${payer}`, limits.tokens, spent.tokens, needed.tokens) ??
    exceeding(`daily_cost_per_${payer}`, limits.cost, spent.cost, needed.cost);
  if (question) return { held: false, question };
  throw new Error("a daily budget refused what its limits allow");
}

function exceededRunLimit(
  state: RunState,
  needed: Spending,
  execution: Execution,
): BudgetQuestion | undefined {
  const { max_tokens_per_run, max_cost_per_run } = execution.agent;
  const spent = spentBy(state, execution);
  const tokens = raisedTo(state, "max_tokens_per_run") ?? max_tokens_per_run;
  const cost = raisedTo(state, "max_cost_per_run") ?? max_cost_per_run;
  return (
    exceeding("max_tokens_per_run", tokens, spent.tokens, needed.tokens) ??
    exceeding("max_cost_per_run", cost, spent.cost, needed.cost)
  );
}

/** A team's limits include what its members spend. */
function spentBy(state: RunState, execution: Execution): Spending {
  const own = spendingOf(state.usage, execution.model.price);
  const members = membersSpending(state);
  return { tokens: own.tokens + members.tokens, cost: own.cost + members.cost };
}

function raisedLimits(state: RunState, payer: Payer): SpendingLimits {
  const tokens = raisedTo(state, `daily_tokens_per_${payer}`);
  const cost = raisedTo(state, `daily_cost_per_${payer}`);
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
}

/** @decided  Confirming doubles the limit, or raises it as far as the next call needs when that is more. */
function exceeding(
  limit: BudgetLimit,
  allowed: number | undefined,
  spent: number,
  needed: number,
): BudgetQuestion | undefined {
  if (allowed === undefined || spent + needed <= allowed) return undefined;
  const raise_to = Math.max(allowed * 2, spent + needed);
  return { reason: "budget", limit, allowed, spent, needed, raise_to };
}

/** Without a price a limit in dollars would be no limit. */
function hasPrice({ agent, model, ports }: Execution): boolean {
  const limitsCost = agent.max_cost_per_run !== undefined || ports.dailyBudget?.limitsCost;
  return !limitsCost || model.price !== undefined;
}

const unpriced: RunFault = { cause: "internal", text: UNPRICED, thrown: undefined };
