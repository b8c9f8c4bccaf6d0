import { setTimeout } from "node:timers/promises";
import type { DrillWorld } from "./world.ts";

/** How one alarm is provoked on this machine, or why it cannot be. */
export type Drill =
  | {
      /** What the drill does, for the table. */
      readonly how: string;
      /** @returns what the alarm's metric is then; the alarm is raised above its threshold */
      readonly provoke: (world: DrillWorld) => Promise<number>;
    }
  | { readonly whyNot: string };

const throttled = { status: 400, type: "ProvisionedThroughputExceededException" };
const unavailable = { status: 500, type: "InternalServerError" };

/** An event of no kind, while AWS answers nothing: what a function does not handle itself, Lambda counts as an error. */
const crashing = (label: string): Drill => ({
  how: `\`${label}\` is invoked with an event of no kind while DynamoDB and SQS answer 500`,
  provoke: async ({ platform, crash }) => {
    platform.faults.set(({ service }) =>
      service === "dynamodb" || service === "sqs" ? unavailable : undefined,
    );
    try {
      return await crash(label);
    } finally {
      platform.faults.clear();
    }
  },
});

/** What functions write arrives in the log a moment after their answers. */
async function written(figure: () => number): Promise<number> {
  for (let i = 0; i < 50 && figure() === 0; i += 1) await setTimeout(100);
  return figure();
}

const failedRuns = async ({ client }: DrillWorld, count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await client.run("[[fail:the model does not answer]]");
};

const AGE: Drill = {
  whyNot: "Takes a message that waits for a quarter of an hour; SQS counts its age, the local one does not.",
};

/** A row for each alarm, by the name that it has in `lib/alarms/alarms.ts`. */
export const drills: Readonly<Record<string, Drill>> = {
  DeadLettersAlarm: {
    whyNot:
      "Takes a message that fails five times in a row, an hour and a half apart (the queue's visibility timeout).",
  },
  ScheduleDeadLettersAlarm: { whyNot: "Takes a slot that fails five times in a row, six minutes apart." },
  OldestSlotAlarm: AGE,
  ServerErrorsAlarm: {
    how: "DynamoDB answers 500, and six requests for `/sessions` are sent",
    provoke: async ({ platform, get, serverErrors }) => {
      platform.faults.set(({ service }) => (service === "dynamodb" ? unavailable : undefined));
      try {
        for (let i = 0; i < 6; i += 1) await get("/sessions");
      } finally {
        platform.faults.clear();
      }
      return serverErrors();
    },
  },
  StreamErrorsAlarm: crashing("RunsStream"),
  SweeperErrorsAlarm: crashing("Sweeper"),
  HousekeeperErrorsAlarm: crashing("Housekeeper"),
  ScheduleDriftAlarm: crashing("ScheduleReconcile"),
  OverdueWorkAlarm: { whyNot: "Takes work that is due for a quarter of an hour, three periods in a row." },
  CrashesAlarm: {
    how: "An evaluation is leased by a worker that is gone, and `EvalWorker` takes it over",
    provoke: async (world) => {
      const id = await world.abandonedEvaluation();
      const body = JSON.stringify({ eval_id: id });
      await world.invoke("EvalWorker", { Records: [{ messageId: "1", body }] });
      return written(() => world.counted("Crashes"));
    },
  },
  FailedRunsAlarm: {
    how: "Six runs fail, of six",
    provoke: async (world) => {
      await failedRuns(world, 6);
      const [failed, completed] = [world.counted("RunsFailed"), world.counted("RunsCompleted")];
      return failed < 5 ? 0 : failed / (failed + completed);
    },
  },
  ModelErrorsAlarm: {
    how: "Eleven runs fail at their model",
    provoke: async (world) => {
      const before = world.counted("FailedAtModels");
      await failedRuns(world, 11);
      return world.counted("FailedAtModels") - before;
    },
  },
  CostAlarm: {
    whyNot:
      "Takes a model with a price; the scripted one costs nothing. `npm run cost` counts what runs cost.",
  },
  DailyBudgetAlarm: {
    whyNot: "Takes a day with a budget; the platform of the drill has none, like stage `dev`.",
  },
  ThrottlesAlarm: { whyNot: "AWS refuses by its own quota, which this machine does not have." },
  TableThrottlesAlarm: {
    how: "DynamoDB refuses the calls of a request with `ProvisionedThroughputExceededException`",
    provoke: async ({ platform, get, counted }) => {
      platform.faults.set(({ service }) => (service === "dynamodb" ? throttled : undefined));
      try {
        await get("/sessions");
      } finally {
        platform.faults.clear();
      }
      return written(() => counted("TableThrottles"));
    },
  },
  ChatDeadLettersAlarm: { whyNot: "Takes a message that fails ten times in a row, three minutes apart." },
  UndeliveredAnswersAlarm: { whyNot: "Takes a day in which a chat platform accepts nothing." },
  UndeliveredEventsAlarm: { whyNot: "Takes a day in which a receiver accepts nothing." },
  EndpointsDisabledAlarm: { whyNot: "Takes five days in which an endpoint accepts nothing." },
  PreTokenErrorsAlarm: { whyNot: "Cognito calls the function; this machine has no user pool." },
};

/** The rows as docs/operations.md has them. */
export const drillTable = (): string =>
  [
    "| Alarm | How `npm run drill` provokes it, or why it does not |",
    "|---|---|",
    ...Object.entries(drills).map(
      ([name, drill]) => `| ${name} | ${"how" in drill ? drill.how : `Not here. ${drill.whyNot}`} |`,
    ),
  ].join("\n");
