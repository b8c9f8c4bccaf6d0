import type { ModelPrice } from "../../settings/values/model-prices.ts";
import { costOf } from "../model/cost-of.ts";
import type { Usage } from "../model/usage.ts";
import type { Spending } from "../ports/budget-port.ts";

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

export const UNPRICED = "A budget in dollars is set, but the price of this model is not configured.";
