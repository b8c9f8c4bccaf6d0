import type { CloudModel } from "../../local/template/cloud-model.ts";
import type { ScheduleModel } from "../../local/template/schedules.ts";
import type { FunctionUsage } from "./function-usage.ts";
import { startMeteredPlatform } from "./metered-platform.ts";
import { type Invocation, timeOf, undisturbed } from "./on-lambda.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** Usage of one hour without requests. */
export type Idle = {
  readonly timers: Usage;
};

const ROUNDS = 20;
const HOUR_MS = 3_600_000;

/**
 * Lambda runs this many pollers for each event source, each waiting up to 20 seconds for a message.
 *
 * @source Lambda developer guide, SQS event sources: five, also for an empty queue
 */
const POLLERS = 5;
const POLL_SECONDS = 20;

export const pollsOfHour = (queues: number): number => (queues * POLLERS * 3600) / POLL_SECONDS;

/** Fires the timers of an empty platform, often enough for a mean. */
export async function measureIdle(progress: (step: string) => void): Promise<Idle> {
  progress("starting an empty platform");
  const metered = await startMeteredPlatform();
  try {
    const { platform, during, take } = metered;
    await during(platform.fireSchedules);
    await take();
    progress(`${ROUNDS} rounds of its timers`);
    const rounds: (readonly Invocation[])[] = [];
    for (let i = 0; i < ROUNDS; i += 1) rounds.push(await during(platform.fireSchedules));
    const { model } = platform;
    return { timers: timersOfHour(model, await take(), rounds) };
  } finally {
    await metered.stop();
  }
}

/** Computed from the mean usage of a function, since a timer of the template may have fired in between. */
function timersOfHour(
  { schedules }: CloudModel,
  used: ReadonlyMap<string, FunctionUsage>,
  rounds: readonly (readonly Invocation[])[],
): Usage {
  const ofHour = ({ function: { label }, everyMs }: ScheduleModel): Usage => {
    const usage = used.get(label)?.usage;
    if (!usage) throw new Error(`the timer of ${label} did not fire`);
    const { gigabyteSeconds } = undisturbed(
      rounds.map((round) => timeOf(round.filter(({ fn }) => fn.label === label).slice(0, 1))),
    );
    const each = sumOf(times(usage, 1 / usage.invocations), { gigabyteSeconds, schedulerInvocations: 1 });
    return times(each, HOUR_MS / everyMs);
  };
  return sumOf(...schedules.map(ofHour));
}
