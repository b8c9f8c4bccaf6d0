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

const failedRuns = async ({ client }: DrillWorld, count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await client.run("[[fail:the model does not answer]]");
};

const AGE: Drill = {
  whyNot: "Takes a message that waits for a quarter of an hour; SQS counts its age, the local one does not.",
};
const FROM_AWS = "AWS refuses by its own quota, which this machine does not have.";

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
  WorkerErrorsAlarm: crashing("Worker"),
  SweeperErrorsAlarm: crashing("Sweeper"),
  DeadLetterErrorsAlarm: crashing("DeadLetter"),
  ScheduleDriftAlarm: crashing("ScheduleReconcile"),
  ScheduleExecutorErrorsAlarm: crashing("ScheduleExecutor"),
  SessionRemoverErrorsAlarm: crashing("SessionRemover"),
  KnowledgeWorkerErrorsAlarm: crashing("KnowledgeWorker"),
  MigratorErrorsAlarm: crashing("Migrator"),
  EvalWorkerErrorsAlarm: crashing("EvalWorker"),
  MetricsRefresherErrorsAlarm: crashing("MetricsRefresher"),
  OverdueWorkAlarm: { whyNot: "Takes work that is due for a quarter of an hour, three periods in a row." },
  OldestQueuedJobAlarm: {
    whyNot: "Takes a job that waits for a quarter of an hour, three periods in a row.",
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
      const causes = ["model", "throttled"];
      const before = world.counted("Failures", causes);
      await failedRuns(world, 11);
      return world.counted("Failures", causes) - before;
    },
  },
  CostAlarm: {
    whyNot:
      "Takes a model with a price; the scripted one costs nothing. `npm run cost` counts what runs cost.",
  },
  DailyBudgetAlarm: {
    whyNot: "Takes a day with a budget; the platform of the drill has none, like stage `dev`.",
  },
  ThrottlesAlarm: { whyNot: FROM_AWS },
  TableThrottlesAlarm: { whyNot: FROM_AWS },
  ChatDeadLettersAlarm: { whyNot: "Takes a message that fails ten times in a row, three minutes apart." },
  ChatWorkerErrorsAlarm: crashing("ChatWorker"),
  UndeliveredAnswersAlarm: { whyNot: "Takes a day in which a chat platform accepts nothing." },
  DeliveryWorkerErrorsAlarm: crashing("DeliveryWorker"),
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
