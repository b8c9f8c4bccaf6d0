import { utcDay } from "../../domain/utc-day.ts";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { ASSUMED_PRICE } from "../../settings/values/model-prices.ts";
import { type Answer, type CallOptions, collectAnswer } from "../model/collect-answer.ts";
import { mostTokens } from "../model/count-tokens.ts";
import { modelFault } from "../model/model-fault.ts";
import { freeCall, ModelClosed, type ModelGate, NO_KEY } from "../model/model-gate.ts";
import type { Models, ResolvedModel } from "../model/models.ts";
import { noUsage } from "../model/usage.ts";
import { CLIENTS_PATIENCE_MS, roughTokens, waitAtGate } from "../model/wait-at-gate.ts";
import type { DailyBudgets, DailyReservation, Spending } from "../ports/budget-port.ts";
import { DEFAULT_MAX_OUTPUT_TOKENS, mostSpendingOf, spendingOf } from "./hold-budget.ts";
import { closedFault, failureOf, shareOf } from "./pass-gate.ts";

/** A model call that the platform makes for a user outside of any run: a name, a summary, a verdict. */
export type CallForUser = {
  /** Specification of the model; the configured default when absent. */
  readonly spec?: string | undefined;
  /** Specification of the model that is asked first; the other is asked once where it fails. */
  readonly helper?: string | undefined;
  /** Who pays; a service account's owner pays for it. */
  readonly user_id: string | null;
  /** Unique for the call. */
  readonly key: string;
  /** What the model is asked, in the form that it takes. */
  readonly options: CallOptions | ((model: ResolvedModel) => CallOptions);
};

type Needs = {
  readonly models: Models;
  readonly dailyBudgets: DailyBudgets;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** What all workers know of models; each call is made at once where it is absent. */
  readonly modelGate?: ModelGate | undefined;
};

/** Most tokens that providers add around a prompt. */
const TOKENS_OF_FRAME = 64;

/**
 * Makes one model call outside of a run, when the user's daily budget has room for the most that it can spend.
 *
 *   hold the bound ─▶ pass the gate ─▶ call ─▶ settle what was used
 *   │                 └─ closed: 503 or 429 with `retry-after`, and nothing is called
 *   └─ no room: 429, and nothing is called
 *
 * @throws ServiceError TOO_MANY_REQUESTS without room; UNAVAILABLE when the model is not configured; `ModelClosed` where
 *         all workers know that it is not to be called now; what the model throws; the signal's reason
 */
export async function answerWithinBudget(
  needs: Needs,
  { helper, ...call }: CallForUser,
  signal: AbortSignal,
): Promise<Answer> {
  if (helper === undefined || helper === call.spec) return answerBy(needs, call, signal);
  try {
    return await answerBy(needs, { ...call, spec: helper, key: `${call.key}#helper` }, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // Without room for the helper there is none for the other model either.
    const hadNoRoom = thrown instanceof ServiceError && thrown.code === "TOO_MANY_REQUESTS";
    if (hadNoRoom && !(thrown instanceof ModelClosed)) throw thrown;
    return answerBy(needs, call, signal);
  }
}

async function answerBy(
  needs: Needs,
  { spec, user_id, key, options }: Omit<CallForUser, "helper">,
  signal: AbortSignal,
): Promise<Answer> {
  const { models, dailyBudgets, clock } = needs;
  const [model, daily] = await Promise.all([models.resolve(spec), dailyBudgets(user_id, key)]);
  const asked = typeof options === "function" ? options(model) : options;
  const call = { spec, user_id, key, model };
  if (!daily) return answerPastGate(needs, call, asked, signal);
  const { price = ASSUMED_PRICE } = models.describe(spec);
  const input_tokens = (await mostTokens(JSON.stringify(asked), model)) + TOKENS_OF_FRAME;
  const bound = { ...noUsage, input_tokens, output_tokens: DEFAULT_MAX_OUTPUT_TOKENS };
  const needed = mostSpendingOf(bound, price);
  const reserved = await daily.reserve("call", needed);
  if (!reserved.granted) throw noRoom(reserved, needed, clock.now());
  try {
    const limited = { ...asked, maxOutputTokens: DEFAULT_MAX_OUTPUT_TOKENS };
    const answer = await answerPastGate(needs, call, limited, signal);
    await reserved.settle(spendingOf(answer.usage, price));
    return answer;
  } catch (error) {
    // What the provider charges for a call that broke off is not known, so its bound counts.
    await reserved.settle(error instanceof ModelClosed ? NOTHING : needed);
    throw error;
  }
}

const NOTHING: Spending = { tokens: 0, cost: 0 };

type GatedCall = Pick<CallForUser, "spec" | "user_id" | "key"> & { readonly model: ResolvedModel };

/** Makes the call where the model may be called, and writes down for all workers what came of it. */
async function answerPastGate(
  { modelGate, clock }: Needs,
  { spec, user_id, key, model }: GatedCall,
  options: Parameters<typeof collectAnswer>[1],
  signal: AbortSignal,
): Promise<Answer> {
  const { account = NO_KEY } = model;
  const asked = { spec, account, user_id, tokens: () => roughTokens(options), share: shareOf(key) };
  const gate = modelGate ? await waitAtGate(modelGate, asked, CLIENTS_PATIENCE_MS, clock, signal) : freeCall;
  if (!gate.admitted) throw new ModelClosed(closedFault(gate, clock.now()).text, gate, clock.now());
  let hasBegun = false;
  try {
    const answer = await collectAnswer(model, options, signal, () => {
      hasBegun = true;
      gate.begun();
    });
    const tokens = answer.usage.input_tokens + answer.usage.output_tokens;
    await gate.ended({ was: "answered", tokens });
    return answer;
  } catch (error) {
    await gate.ended(failureOf(modelFault(error, clock.now()), hasBegun, signal));
    throw error;
  }
}

/** Says which limit has no room, and when the next day begins. */
function noRoom(
  { payer, limits, spent }: DailyReservation & { granted: false },
  needed: Spending,
  nowMs: number,
): ServiceError {
  const { tokens, cost } = limits;
  const isTokens = tokens !== undefined && spent.tokens + needed.tokens > tokens;
  const [unit, allowed] = isTokens ? (["tokens", tokens] as const) : (["cost", cost] as const);
  return new ServiceError(
    "TOO_MANY_REQUESTS",
    `daily_${unit}_per_${payer} is ${allowed}, of which ${spent[unit]} is used, and this call may need ${needed[unit]}; the next day begins at midnight UTC`,
    { headers: { "retry-after": String(secondsOfDayLeft(nowMs)) } },
  );
}

function secondsOfDayLeft(nowMs: number): number {
  const midnight = Date.parse(utcDay(nowMs / 1000)) + 86_400_000;
  return Math.max(1, Math.ceil((midnight - nowMs) / 1000));
}
