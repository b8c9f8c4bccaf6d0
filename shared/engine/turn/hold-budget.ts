import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import { ASSUMED_PRICE, type ModelPrice } from "../../settings/values/model-prices.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import { mostTokens, TOKENS_OF_FILE } from "../model/count-tokens.ts";
import type { RunFault } from "../model/model-fault.ts";
import { costOf, noUsage, type Usage } from "../model/usage.ts";
import type { DailyBudget, Payer, Spending, SpendingLimits } from "../ports/budget-port.ts";
import type { Execution } from "../run/execution.ts";
import { costOfModels, usageByModel, usageOfFolds } from "../run/metrics.ts";
import type { BudgetLimit, BudgetQuestion } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { raisedTo } from "./budget-call.ts";
import { promptTools } from "./build-prompt.ts";

/** What used tokens count against a budget. */
export const spendingOf = (usage: Usage, price: ModelPrice | undefined): Spending => ({
  tokens: usage.input_tokens + usage.output_tokens,
  cost: costOf(usage, price) ?? 0,
});

/** The most that these tokens can cost: writing a prompt to a provider's cache may cost more than reading it. */
export function mostSpendingOf(bound: Usage, price: ModelPrice | undefined): Spending {
  const { tokens, cost } = spendingOf(bound, price);
  const cached = spendingOf({ ...bound, cache_write_tokens: bound.input_tokens }, price);
  return { tokens, cost: Math.max(cost, cached.cost) };
}

const UNPRICED = "A budget in dollars is set, but the price of this model is not configured.";

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
  const { price } = execution.model;
  const own = exceededRunLimit(state, mostSpendingOf(atMost, price), execution);
  if (own) return { held: false, question: own };
  const { dailyBudget } = execution.ports;
  return dailyBudget ? holdDaily(state, atMost, call, dailyBudget, price ?? ASSUMED_PRICE) : noHold;
}

async function holdDaily(
  state: RunState,
  atMost: Usage,
  call: string,
  daily: DailyBudget,
  price: ModelPrice,
): Promise<Held> {
  const needed = mostSpendingOf(atMost, price);
  const reserved = await daily.reserve(call, needed, {
    user: raisedLimits(state, "user"),
    account: raisedLimits(state, "account"),
    deployment: raisedLimits(state, "deployment"),
  });
  if (reserved.granted) {
    return { held: true, settle: (used) => reserved.settle(spendingOf(used, price)) };
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
  const { agent, ports } = execution;
  const own = modelViewOf(agent, ports.models);
  const used = [...usageByModel(state, own, ports.models), ...usageOfFolds(state, own, ports.models)];
  const { tokens } = spendingOf(state.usage, undefined);
  const members = membersSpending(state);
  return { tokens: tokens + members.tokens, cost: (costOfModels(used) ?? 0) + members.cost };
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

/** Without a price a limit in dollars would be no limit; a day counts a high price instead, so that it needs no configuration. */
const hasPrice = ({ agent, model }: Execution): boolean =>
  agent.max_cost_per_run === undefined || model.price !== undefined;

const unpriced: RunFault = { cause: "internal", text: UNPRICED, thrown: undefined };

/** Most tokens that providers add around a message, a tool or a prompt. */
const TOKENS_OF_FRAME = 16;

/**
 * The most that the next model call can use. Texts are counted by the tokenizer of the model's family, else bounded by what
 * the model's service has counted so far, else by their bytes. Messages that an earlier call of the run counted are known
 * exactly; only later ones are bounded.
 *
 *   system, user, …, assistant (counted 812 in, 40 out) │ tool result (1,300 bytes)
 *   └──────────────── 852 tokens ─────────────────────┘ └── at most 400 ──────────┘
 *
 * @decided  With a margin where it is measured: the unused part of the hold is released when the call has ended, and what a
 *           call used beyond its hold counts all the same.
 */
export async function callBound(messages: readonly Message[], execution: Execution): Promise<Usage> {
  const counted = messages.findLastIndex(isCounted);
  const known = counted < 0 ? await toolsBound(execution) : countOf(messages[counted]);
  const later = messages.slice(counted + 1);
  const input_tokens = known + TOKENS_OF_FRAME + (await messagesBound(later, execution));
  return { ...noUsage, input_tokens, output_tokens: outputLimit(execution) ?? 0 };
}

const isCounted = (message: Message): boolean =>
  message.role === "assistant" && !message.from_history && typeof message.metrics?.input_tokens === "number";

const countOf = (message: Message | undefined): number =>
  Number(message?.metrics?.input_tokens ?? 0) + Number(message?.metrics?.output_tokens ?? 0);

const toolsBound = ({ tools, model }: Execution): Promise<number> => bound(promptTools(tools), model);

async function messagesBound(messages: readonly Message[], { model }: Execution): Promise<number> {
  const files = messages.flatMap(({ images = [], audio = [], videos = [], files: others = [] }) => [
    ...images,
    ...audio,
    ...videos,
    ...others,
  ]);
  const texts = messages.map(({ content, context, tool_calls, reasoning_content }) => ({
    content,
    context,
    tool_calls,
    reasoning_content,
  }));
  return (await bound(texts, model)) + files.length * TOKENS_OF_FILE;
}

const bound = async (parts: readonly unknown[], model: Execution["model"]): Promise<number> =>
  (await mostTokens(JSON.stringify(parts), model)) + parts.length * TOKENS_OF_FRAME;

/** Most tokens of an answer under a budget when its agent sets no limit. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/**
 * Most tokens that a model may answer with; undefined leaves it to the model.
 *
 * @decided  Under a budget there is always a limit: without one, what a call may cost has no bound.
 */
export function outputLimit({ agent, ports }: Execution): number | undefined {
  if (agent.max_output_tokens !== undefined) return agent.max_output_tokens;
  return isBudgeted({ agent, ports }) ? DEFAULT_MAX_OUTPUT_TOKENS : undefined;
}

/** Whether anything limits what this run may spend. */
function isBudgeted({ agent, ports }: Pick<Execution, "agent" | "ports">): boolean {
  return (
    ports.dailyBudget !== undefined ||
    agent.max_tokens_per_run !== undefined ||
    agent.max_cost_per_run !== undefined
  );
}

/**
 * What the runs of a team's members, and the runs within them, have spent so far. The cost of a run in progress is not
 * known; it is counted when the run has ended.
 */
function membersSpending({ members = [] }: Pick<RunState, "members">): Spending {
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
