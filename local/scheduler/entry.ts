import * as v from "valibot";
import { type NextFire, readExpression } from "./next-fire.ts";

const Text = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** The input of CreateSchedule and UpdateSchedule. @source EventBridge Scheduler API reference */
export const EntryRequest = v.object({
  Name: v.pipe(Text(64), v.regex(/^[0-9a-zA-Z\-_.]+$/)),
  GroupName: v.optional(v.string(), "default"),
  Description: v.optional(v.pipe(v.string(), v.maxLength(512))),
  ScheduleExpression: Text(256),
  ScheduleExpressionTimezone: v.optional(v.pipe(Text(50), v.check(isZone)), "UTC"),
  State: v.optional(v.picklist(["ENABLED", "DISABLED"]), "ENABLED"),
  ActionAfterCompletion: v.optional(v.picklist(["NONE", "DELETE"]), "NONE"),
  FlexibleTimeWindow: v.object({ Mode: v.literal("OFF") }),
  ClientToken: v.optional(v.string()),
  Target: v.object({
    Arn: Text(1600),
    RoleArn: v.pipe(Text(1600), v.startsWith("arn:")),
    Input: v.optional(Text(256 * 1024), "{}"),
    RetryPolicy: v.optional(
      v.object({
        MaximumEventAgeInSeconds: v.optional(v.pipe(v.number(), v.minValue(60), v.maxValue(86_400)), 86_400),
        MaximumRetryAttempts: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(185)), 185),
      }),
      { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
    ),
    DeadLetterConfig: v.optional(v.object({ Arn: v.string() })),
  }),
});
export type EntryRequest = v.InferOutput<typeof EntryRequest>;

/** An entry of the scheduler as it is stored. Times are epoch milliseconds. */
export type Entry = EntryRequest & {
  readonly createdMs: number;
  readonly modifiedMs: number;
};

/** An entry with its next fire time, `dueMs`; undefined when it does not fire again. */
export type LiveEntry = { readonly entry: Entry; readonly nextFire: NextFire; dueMs: number | undefined };

/** @throws Error when the expression is invalid */
export function liveEntry(entry: Entry, fromMs: number): LiveEntry {
  const { ScheduleExpression, ScheduleExpressionTimezone, createdMs, State } = entry;
  const nextFire = readExpression(ScheduleExpression, ScheduleExpressionTimezone, createdMs);
  return { entry, nextFire, dueMs: State === "ENABLED" ? nextFire(fromMs) : undefined };
}
