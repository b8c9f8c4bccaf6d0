import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  paginateListSchedules,
  ResourceNotFoundException,
  SchedulerClient,
  ThrottlingException,
  UpdateScheduleCommand,
  ValidationException,
} from "@aws-sdk/client-scheduler";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SchedulerServer, schedulerEnv, startSchedulerServer } from "../support/scheduler-server.ts";

let server: SchedulerServer;
let client: SchedulerClient;
beforeEach(async () => {
  server = await startSchedulerServer();
  client = new SchedulerClient({ maxAttempts: 1 });
});
afterEach(async () => {
  client.destroy();
  await server.stop();
});

const group = schedulerEnv.SCHEDULE_GROUP;
const anEntry = (more: object = {}) => ({
  Name: "one",
  GroupName: group,
  ScheduleExpression: "rate(1 minute)",
  FlexibleTimeWindow: { Mode: "OFF" as const },
  Target: { Arn: schedulerEnv.SCHEDULE_QUEUE_ARN, RoleArn: schedulerEnv.SCHEDULE_ROLE_ARN, Input: "{}" },
  ...more,
});
const create = (more: object = {}) => client.send(new CreateScheduleCommand(anEntry(more)));
const MINUTE_MS = 60_000;
const laterBy = (ms: number) => server.scheduler.moveTo(server.scheduler.now() + ms);

describe("an entry", () => {
  test("is made, shown, changed and taken away", async () => {
    const { ScheduleArn } = await create({ ScheduleExpression: "cron(0 9 * * ? *)" });
    expect(ScheduleArn).toBe(`arn:aws:scheduler:us-east-1:000000000000:schedule/${group}/one`);
    const get = () => client.send(new GetScheduleCommand({ Name: "one", GroupName: group }));
    expect(await get()).toMatchObject({ State: "ENABLED", ScheduleExpressionTimezone: "UTC" });
    await client.send(new UpdateScheduleCommand(anEntry({ State: "DISABLED" })));
    expect(await get()).toMatchObject({ State: "DISABLED", ScheduleExpression: "rate(1 minute)" });
    await client.send(new DeleteScheduleCommand({ Name: "one", GroupName: group }));
    await expect(get()).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  test("cannot be made twice, unless the same request comes again", async () => {
    await create({ ClientToken: "a" });
    await create({ ClientToken: "a" });
    await expect(create({ ClientToken: "b" })).rejects.toBeInstanceOf(ConflictException);
  });

  test.each([
    [{ ScheduleExpression: "cron(0 9 * * * *)" }],
    [{ ScheduleExpression: "cron(0 9 ? * ? *)" }],
    [{ ScheduleExpression: "cron(0 25 * * ? *)" }],
    [{ ScheduleExpression: "cron(0 9 * *)" }],
    [{ ScheduleExpression: "rate(0 minutes)" }],
    [{ ScheduleExpression: "at(tomorrow)" }],
    [{ ScheduleExpression: "hello" }],
    [{ ScheduleExpressionTimezone: "Mars/Olympus" }],
    [{ Name: "with:colon" }],
    [{ Name: "x".repeat(65) }],
    [{ Target: { Arn: "a", RoleArn: "arn:aws:iam::000000000000:role/unknown" } }],
  ])("with %j is refused", async (more) => {
    await expect(create(more)).rejects.toBeInstanceOf(ValidationException);
  });

  test("needs a group that exists", async () => {
    await expect(create({ GroupName: "other" })).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  test("is not made while requests are throttled", async () => {
    server.failWith({ operation: "CreateSchedule", how: "throttled" });
    await expect(create()).rejects.toBeInstanceOf(ThrottlingException);
    expect(server.names()).toEqual([]);
  });
});

test("a list comes in pages", async () => {
  const names = Array.from({ length: 230 }, (_, i) => `entry-${String(i).padStart(3, "0")}`);
  for (const Name of names) await create({ Name });
  const pages: string[][] = [];
  for await (const { Schedules = [] } of paginateListSchedules({ client }, { GroupName: group })) {
    pages.push(Schedules.map(({ Name = "" }) => Name));
  }
  expect(pages.map((page) => page.length)).toEqual([100, 100, 30]);
  expect(pages.flat()).toEqual(names);
});

describe("a slot", () => {
  test("is delivered at its time, with the words of its message replaced", async () => {
    const Input = '{"at":"<aws.scheduler.scheduled-time>","of":"<aws.scheduler.schedule-arn>","x":"<other>"}';
    const { Target } = anEntry();
    await create({ ScheduleExpression: "cron(* * * * ? *)", Target: { ...Target, Input } });
    const slot = Math.ceil((server.scheduler.now() + 1) / MINUTE_MS) * MINUTE_MS;
    await server.scheduler.moveTo(slot - 5_000);
    expect(server.delivered).toEqual([]);
    await server.scheduler.moveTo(slot);
    expect(JSON.parse(server.delivered[0]?.input ?? "")).toEqual({
      at: new Date(slot).toISOString().replace(".000", ""),
      of: `arn:aws:scheduler:us-east-1:000000000000:schedule/${group}/one`,
      x: "<other>",
    });
  });

  test("of several entries come in the order of time", async () => {
    await create({ Name: "slow", ScheduleExpression: "rate(3 minutes)" });
    await create({ Name: "fast", ScheduleExpression: "rate(2 minutes)" });
    await laterBy(5 * MINUTE_MS);
    const names = server.delivered.map(({ name }) => name);
    expect(names).toEqual(["slow", "fast", "fast", "slow", "fast"]);
  });

  test("of a disabled or removed entry is none", async () => {
    await create({ Name: "off", State: "DISABLED" });
    await create({ Name: "gone", ScheduleExpression: "cron(* * * * ? *)" });
    await client.send(new DeleteScheduleCommand({ Name: "gone", GroupName: group }));
    await laterBy(5 * MINUTE_MS);
    expect(server.delivered).toEqual([]);
  });

  test("at one time comes once, and takes its entry with it if asked to", async () => {
    const at = new Date(server.scheduler.now() + 5000).toISOString().slice(0, 19);
    await create({ ScheduleExpression: `at(${at})`, ActionAfterCompletion: "DELETE" });
    await laterBy(MINUTE_MS);
    await laterBy(MINUTE_MS);
    expect(server.delivered).toHaveLength(1);
    expect(server.names()).toEqual([]);
  });
});

test("entries outlive the process; of what was missed the latest slot comes, if it is not too old", async () => {
  const folder = mkdtempSync(join(tmpdir(), "scheduler-"));
  const file = join(folder, "scheduler.db");
  const first = await startSchedulerServer(file);
  const direct = new SchedulerClient({ maxAttempts: 1 });
  const createThere = (Name: string, minutes: string, MaximumEventAgeInSeconds: number) => {
    const Target = { ...anEntry().Target, RetryPolicy: { MaximumEventAgeInSeconds } };
    const entry = anEntry({ Name, ScheduleExpression: `cron(${minutes} * * * ? *)`, Target });
    return direct.send(new CreateScheduleCommand(entry));
  };
  await createThere("often", "*", 3600);
  const tenMinutesAgo = (new Date().getUTCMinutes() + 50) % 60;
  await createThere("too-old", String(tenMinutesAgo), 60);
  direct.destroy();
  // As if it had been stopped half an hour ago.
  await first.scheduler.moveTo(first.scheduler.now() - 30 * MINUTE_MS);
  await first.stop();
  const minute = () => Math.floor(Date.now() / MINUTE_MS);
  const restarted = minute();
  const second = await startSchedulerServer(file);
  await second.scheduler.moveTo(second.scheduler.now());
  expect(second.names()).toEqual(["often", "too-old"]);
  expect(new Set(second.delivered.map(({ name }) => name))).toEqual(new Set(["often"]));
  // One for the thirty that were missed, and those of the minutes that have begun since.
  expect(second.delivered.length).toBeLessThanOrEqual(1 + minute() - restarted);
  await second.stop();
  rmSync(folder, { recursive: true, force: true });
});
