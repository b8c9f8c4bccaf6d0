import type { CloudModel } from "../../local/template/cloud-model.ts";
import { type FunctionUsage, startMeteredPlatform } from "./metered-platform.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** What goes on in an hour in which nobody calls. */
export type Idle = {
  readonly timers: Usage;
  readonly polling: Usage;
  readonly queuesPolled: number;
};

const ROUNDS = 20;
const HOUR_MS = 3_600_000;

/**
 * Lambda keeps so many pollers at a queue that feeds a function, each waiting up to 20 seconds for a message.
 *
 * @source Lambda developer guide, SQS event sources: five, also where nothing comes
 */
const POLLERS = 5;
const POLL_SECONDS = 20;

export const pollsOfHour = (queues: number): number => (queues * POLLERS * 3600) / POLL_SECONDS;

/** Lets the timers of an empty platform fire, as often as it takes for a mean. */
export async function measureIdle(progress: (step: string) => void): Promise<Idle> {
  progress("starting an empty platform");
  const metered = await startMeteredPlatform();
  try {
    const { platform, take } = metered;
    await platform.fireSchedules();
    await take();
    progress(`${ROUNDS} rounds of its timers`);
    for (let i = 0; i < ROUNDS; i += 1) await platform.fireSchedules();
    const queuesPolled = platform.model.eventSources.length;
    return {
      timers: timersOfHour(platform.model, await take()),
      polling: sumOf({ sqsRequests: pollsOfHour(queuesPolled) }),
      queuesPolled,
    };
  } finally {
    await metered.stop();
  }
}

/** By the mean of what a function took, since a timer of the template may have fired in between. */
function timersOfHour({ schedules }: CloudModel, used: ReadonlyMap<string, FunctionUsage>): Usage {
  return sumOf(
    ...schedules.map(({ function: { label }, everyMs }) => {
      const one = used.get(label);
      if (!one) throw new Error(`the timer of ${label} did not fire`);
      return times(
        sumOf(one.usage, { schedulerInvocations: one.invocations }),
        HOUR_MS / everyMs / one.invocations,
      );
    }),
  );
}
