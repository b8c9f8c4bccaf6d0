import type { LambdaHost } from "../lambda/lambda-host.ts";
import type { ScheduleModel } from "../template/schedules.ts";

export type Schedules = {
  /** Fires every timer now. @returns once all their functions have returned */
  readonly fire: () => Promise<void>;
  readonly stop: () => void;
};

/** Whether a timer also fires when it is made, or first when its rate has passed. */
export type FirstFire = "at once" | "at the rate";

/**
 * Runs the template's timers. Each fires immediately, unless it is configured otherwise, and then at its rate.
 *
 * @source EventBridge Scheduler user guide: a rate without a start date begins when the schedule is created
 */
export function startSchedules(
  models: readonly ScheduleModel[],
  lambda: LambdaHost,
  firstFire: FirstFire = "at once",
): Schedules {
  const fire = async (model: ScheduleModel): Promise<void> => {
    await lambda.invokeAsync(model.function, model.input);
  };
  const timers = models.map((model) => setInterval(() => void fire(model), model.everyMs));
  if (firstFire === "at once") for (const model of models) void fire(model);
  return {
    fire: async () => {
      await Promise.all(models.map(fire));
    },
    stop: () => timers.forEach(clearInterval),
  };
}
