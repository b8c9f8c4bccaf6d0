import { eventBridgeExpressions } from "../domain/cron/eventbridge-expressions.ts";
import { isOnDemand, type Timing, timingOf } from "../domain/cron/timing-of.ts";

/** One plan of a schedule: when it fires, until it is changed. */
export type Plan = Timing & { readonly id: string; readonly plan_id: string };

/** One recurring schedule of EventBridge Scheduler. */
export type SchedulerEntry = {
  readonly name: string;
  readonly expression: string;
  /** Of the IANA database. */
  readonly zone: string;
};

/** The entries of a plan at the scheduler: one, several if it has several day rules, none if it runs on demand. */
export function planEntries(plan: Plan): SchedulerEntry[] {
  if (isOnDemand(plan)) return [];
  const { cron, zone } = timingOf(plan);
  return eventBridgeExpressions(cron).map((expression, index) => ({
    name: entryName(plan, index),
    expression,
    zone,
  }));
}

type Named = { readonly id: string; readonly plan_id: string };

/** Letters, digits, dots and dashes, at most 64: all that the scheduler accepts. */
const entryName = ({ id, plan_id }: Named, index: number): string => `${id}.${plan_id}.${index}`;

/** @param entries how many the plan has */
export const entryNames = ({ id, plan_id, entries }: Named & { readonly entries: number }): string[] =>
  Array.from({ length: entries }, (_, index) => entryName({ id, plan_id }, index));

/** The schedule that an entry belongs to. */
export const scheduleOfEntry = (name: string): string => name.split(".")[0] ?? "";
