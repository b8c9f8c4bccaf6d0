import { setTimeout as pause } from "node:timers/promises";
import type { FunctionModel } from "../template/functions.ts";
import { type HostOptions, type LambdaHost, lambdaHost } from "./lambda-host.ts";
import type { Outcome } from "./start-thread.ts";
import type { Strict } from "./strict.ts";
import { invocationCounts, isThrottled, throttled } from "./throttling.ts";

/** @source Lambda developer guide, asynchronous invocation: two retries of an error, after one minute and after two more */
const retryAfterMs = [60_000, 120_000];
/** @source the same: a throttled event is tried again for up to six hours, from 1 second to 5 minutes apart */
const whenThrottled = { firstMs: 1000, mostMs: 300_000, forMs: 6 * 3_600_000 };

/** Hosts functions, as strictly as it is asked for. */
export function hostFunctions(models: readonly FunctionModel[], options: HostOptions): LambdaHost {
  const host = lambdaHost(models, options);
  return options.strict ? strictHost(host, options.strict, models) : host;
}

/**
 * A host that refuses what Lambda would refuse, and tries again what it would try again:
 *
 *   invoke       reservation or account full ─▶ TooManyRequestsException; messages of a queue count as received then
 *   invokeAsync  error ─▶ 1 minute ─▶ again ─▶ 2 minutes ─▶ again; refused ─▶ later, without being counted
 */
function strictHost(
  host: LambdaHost,
  { accountConcurrency, pace }: Strict,
  models: readonly FunctionModel[],
): LambdaHost {
  const stopped = new AbortController();
  const running = invocationCounts();
  const reserved = models.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);

  const invoke: LambdaHost["invoke"] = async (model, invocation, version) => {
    const { name, reservedConcurrency } = model;
    // Functions without a reservation share what the others leave.
    const counted = reservedConcurrency === undefined ? "" : name;
    if (running.of(counted) >= (reservedConcurrency ?? accountConcurrency - reserved)) {
      invocation.event();
      return throttled(reasons[reservedConcurrency === undefined ? "account" : "reservation"]);
    }
    return running.during(counted, () => host.invoke(model, invocation, version));
  };

  const untilAdmitted = async (attempt: () => Promise<Outcome | undefined>): Promise<Outcome | undefined> => {
    let waitMs = whenThrottled.firstMs;
    for (let waitedMs = 0; ; waitedMs += waitMs, waitMs = Math.min(2 * waitMs, whenThrottled.mostMs)) {
      const outcome = await attempt();
      if (!isThrottled(outcome) || waitedMs >= whenThrottled.forMs || stopped.signal.aborted) return outcome;
      await wait(waitMs);
    }
  };

  const wait = async (ms: number): Promise<void> => {
    // The platform stops: nothing is tried again.
    await pause(ms / pace, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
  };

  return {
    ...host,
    invoke,
    invokeAsync: async (model, event, version) => {
      const attempt = () => untilAdmitted(() => invoke(model, { event: () => event }, version));
      let outcome = await attempt();
      for (const ms of retryAfterMs) {
        if (outcome?.ok !== false) break;
        await wait(ms);
        if (stopped.signal.aborted) break;
        outcome = await attempt();
      }
      return outcome;
    },
    end: () => {
      stopped.abort();
      return host.end();
    },
  };
}

const reasons = {
  account: "ConcurrentInvocationLimitExceeded",
  reservation: "ReservedFunctionConcurrentInvocationLimitExceeded",
} as const;
