import { isDeepStrictEqual } from "node:util";
import { table } from "../../build/table.ts";
import type { Batch } from "./batches.ts";
import { type Idle, pollsOfHour } from "./idle.ts";
import { freeEachMonth, HOURS_OF_MONTH, prices } from "./prices.ts";
import { INTERFACES, type Standing, standingAfterFree, standingPrice } from "./standing.ts";
import { type Price, priceOf, sumOf, times, totalOf, type Usage } from "./usage.ts";
import type { Measured } from "./workloads.ts";

const THOUSAND = 1_000;
/** Memory of the functions that execute runs. @see lib/api/api-functions.ts, lib/workers/run-queue.ts */
const RUNNER_GB = 1;

const dollars = (value: number): string => `$${value.toFixed(value < 0.1 ? 4 : value < 10 ? 3 : 2)}`;
const plain = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

export function runSheet(all: readonly Measured[]): string {
  const counts = table(
    [
      "of one",
      "edge",
      "API",
      "invocations",
      "ms here",
      "computing",
      "GB-s on Lambda",
      "write units",
      "read units",
      "SQS",
      "log bytes",
    ],
    all.map(({ kind, each, time }) => [
      kind,
      plain(each.edgeRequests),
      plain(each.apiRequests),
      plain(each.invocations),
      plain(time.hereMs),
      plain(time.cpuMs),
      each.gigabyteSeconds.toFixed(3),
      plain(each.writeUnits),
      plain(each.readUnits),
      plain(each.sqsRequests),
      plain(each.logBytes),
    ]),
  );
  const priced = all.map(({ kind, each }) => ({ kind, price: priceOf(times(each, THOUSAND)) }));
  const costs = priceTable("1,000 of them", priced);
  const ownMetrics = new Set(all.flatMap((one) => one.ownMetrics)).size;
  const modelSecond = RUNNER_GB * prices.gigabyteSecond * THOUSAND;
  return [
    counts,
    costs,
    `Every second that 1,000 runs wait for a model: ${dollars(modelSecond)} on top, ` +
      "for a background run divided by the runs that its worker has at once.",
    `Metrics of its own that a busy deployment writes: ${ownMetrics}, ` +
      `${dollars(ownMetrics * prices.ownMetricMonth)} a month; ${freeEachMonth.ownMetrics} are free.`,
  ].join("\n\n");
}

function priceTable(
  title: string,
  rows: readonly { readonly kind: string; readonly price: Price }[],
): string {
  const parts = Object.keys(rows[0]?.price ?? {}) as (keyof Price)[]; // the keys of a total record
  return table(
    [title, ...parts, "total"],
    rows.map(({ kind, price }) => [
      kind,
      ...parts.map((part) => dollars(price[part])),
      dollars(totalOf(price)),
    ]),
  );
}

/** A thousand idle hours at list price, and a month of them after every account's free allowances. */
/** @param withInterfaces  the same stage with every interface for other programs */
export function idleSheet(idle: Idle, standing: Standing, withInterfaces: Standing): string {
  // Of the deployed stage: on one machine queues are polled that a deployment without their settings does not poll.
  const polling = sumOf({ sqsRequests: pollsOfHour(standing.queuesPolled) });
  const hours = { timers: times(idle.timers, THOUSAND), polling: times(polling, THOUSAND) };
  const fixed = standingPrice(standing, THOUSAND);
  const month = afterFree(times(sumOf(idle.timers, polling), HOURS_OF_MONTH));
  const list = {
    [`timers, ${hours.timers.invocations.toFixed(0)} invocations`]: totalOf(priceOf(hours.timers)),
    [`polling of ${standing.queuesPolled} queues, ${hours.polling.sqsRequests.toFixed(0)} requests`]: totalOf(
      priceOf(hours.polling),
    ),
    [`${standing.alarms} alarms over ${standing.alarmMetrics} metrics`]: fixed.alarms,
    [`${standing.dashboards} dashboard`]: fixed.dashboards,
    [`${standing.secrets} secret`]: fixed.secrets,
  };
  const total = Object.values(list).reduce((sum, part) => sum + part, 0);
  return [
    table(
      ["1,000 hours without any calls", "list price"],
      [...Object.entries(list), ["all of it", total] as const].map(([what, price]) => [what, dollars(price)]),
    ),
    `Timers in an hour: ${JSON.stringify(rounded(idle.timers))}`,
    `What stands with ${Object.keys(INTERFACES).join(", ")} switched on: ${isDeepStrictEqual(withInterfaces, standing) ? "the same" : JSON.stringify(withInterfaces)}`,
    `A month of them where an account has nothing else, after its free allowances: ${dollars(month + standingAfterFree(standing))}.`,
  ].join("\n\n");
}

const rounded = (usage: Usage): Record<string, number> =>
  Object.fromEntries(
    Object.entries(usage).flatMap(([unit, n]) => (n === 0 ? [] : [[unit, Number(n.toFixed(2))]])),
  );

function afterFree(month: Usage): number {
  const left = (used: number, free: number) => Math.max(0, used - free);
  return totalOf(
    priceOf({
      ...month,
      invocations: left(month.invocations, freeEachMonth.invocations),
      gigabyteSeconds: left(month.gigabyteSeconds, freeEachMonth.gigabyteSeconds),
      sqsRequests: left(month.sqsRequests, freeEachMonth.sqsRequests),
      schedulerInvocations: left(month.schedulerInvocations, freeEachMonth.schedulerInvocations),
      logBytes: left(month.logBytes, freeEachMonth.logBytes),
    }),
  );
}

export function batchSheet(batches: readonly Batch[]): string {
  return table(
    [
      "worker takes",
      "runs of an invocation",
      "GB-s of a run",
      "SQS of a run",
      "1,000 runs, worker and queue",
    ],
    batches.map(({ size, each, runsOfInvocation }) => {
      const { functions, queues, logs } = priceOf(times(each, THOUSAND));
      return [
        `up to ${size}`,
        plain(runsOfInvocation),
        each.gigabyteSeconds.toFixed(2),
        plain(each.sqsRequests),
        dollars(functions + queues + logs),
      ];
    }),
  );
}
