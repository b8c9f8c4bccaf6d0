import { ServiceError } from "../errors.ts";
import { allSettled } from "../runtime/promises.ts";
import { type Plan, planEntries, type SchedulerEntry } from "./plan-entries.ts";
import type { Scheduler } from "./scheduler.ts";

export type SchedulerEnv = {
  readonly SCHEDULE_GROUP: string;
  readonly SCHEDULE_QUEUE_ARN: string;
  readonly SCHEDULE_DEAD_LETTERS_ARN: string;
  readonly SCHEDULE_ROLE_ARN: string;
};

type Sdk = typeof import("@aws-sdk/client-scheduler");
type Connection = { readonly sdk: Sdk; readonly client: InstanceType<Sdk["SchedulerClient"]> };

const CONNECTION_TIMEOUT_MS = 1_000;
/** Two tries stay well below the timeout of an API function. */
const REQUEST_TIMEOUT_MS = 5_000;
const TRIES = 2;
/** A slot that could not be delivered for this long goes to the dead letters. */
const DELIVERY_SECONDS = 3_600;
const ENTRIES_PER_PAGE = 100;

/** EventBridge Scheduler. Connects with the first call: most requests do not need it. */
export function connectScheduler(env: SchedulerEnv): Scheduler {
  const connected = connecting();
  return {
    ...connectSchedulerRemoval(env),
    add: async (plan) => {
      const entries = planEntries(plan);
      if (entries.length === 0) return;
      const connection = await connected();
      // A call that is still being retried after another has failed would undo what the caller does next.
      await allSettled(entries.map((entry) => addEntry(connection, env, plan, entry)));
    },
    groupMadeAt: async () => {
      const { sdk, client } = await connected();
      const { CreationDate } = await client.send(
        new sdk.GetScheduleGroupCommand({ Name: env.SCHEDULE_GROUP }),
      );
      return secondsOf(CreationDate);
    },
    list: async function* () {
      const { sdk, client } = await connected();
      const pages = sdk.paginateListSchedules(
        { client, pageSize: ENTRIES_PER_PAGE },
        { GroupName: env.SCHEDULE_GROUP },
      );
      for await (const { Schedules = [] } of pages) {
        for (const { Name, CreationDate } of Schedules) {
          yield { name: Name ?? "", created_at: secondsOf(CreationDate) };
        }
      }
    },
  };
}

/** The part of it that only removes entries, and so needs neither their queue nor their role. */
export function connectSchedulerRemoval(
  env: Pick<SchedulerEnv, "SCHEDULE_GROUP">,
): Pick<Scheduler, "remove"> {
  const connected = connecting();
  return {
    remove: async (names) => {
      if (names.length === 0) return;
      const connection = await connected();
      await allSettled(names.map((name) => removeEntry(connection, env, name)));
    },
  };
}

function connecting(): () => Promise<Connection> {
  let connection: Promise<Connection> | undefined;
  return () => {
    connection ??= connect();
    return connection;
  };
}

const secondsOf = (date: Date | undefined): number => Math.floor((date?.getTime() ?? 0) / 1000);

async function connect(): Promise<Connection> {
  const sdk = await import("@aws-sdk/client-scheduler");
  const client = new sdk.SchedulerClient({
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  return { sdk, client };
}

async function addEntry(
  { sdk, client }: Connection,
  env: SchedulerEnv,
  { id, plan_id }: Plan,
  { name, expression, zone }: SchedulerEntry,
): Promise<void> {
  const message = { schedule_id: id, plan_id, scheduled_time: "<aws.scheduler.scheduled-time>" };
  const command = new sdk.CreateScheduleCommand({
    Name: name,
    GroupName: env.SCHEDULE_GROUP,
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: zone,
    FlexibleTimeWindow: { Mode: "OFF" },
    Target: {
      Arn: env.SCHEDULE_QUEUE_ARN,
      RoleArn: env.SCHEDULE_ROLE_ARN,
      Input: JSON.stringify(message),
      RetryPolicy: { MaximumEventAgeInSeconds: DELIVERY_SECONDS },
      DeadLetterConfig: { Arn: env.SCHEDULE_DEAD_LETTERS_ARN },
    },
  });
  try {
    await client.send(command);
  } catch (error) {
    // A name belongs to one plan: the existing entry is the same as this one.
    if (error instanceof sdk.ConflictException) return;
    if (!(error instanceof sdk.ValidationException)) throw error;
    throw new ServiceError("UNPROCESSABLE", `the scheduler does not take ${expression} in ${zone}`, {
      cause: error,
    });
  }
}

async function removeEntry(
  { sdk, client }: Connection,
  env: Pick<SchedulerEnv, "SCHEDULE_GROUP">,
  name: string,
): Promise<void> {
  try {
    await client.send(new sdk.DeleteScheduleCommand({ Name: name, GroupName: env.SCHEDULE_GROUP }));
  } catch (error) {
    if (!(error instanceof sdk.ResourceNotFoundException)) throw error;
  }
}
