import { Cron as Croner } from "croner";

/**
 * When the first of several EventBridge expressions fires, as another reader of cron understands them.
 *
 * @param after  epoch seconds
 */
export function eventBridgeNext(
  expressions: readonly string[],
  timezone: string,
  after: number,
): number | undefined {
  const times = expressions.flatMap((expression) => {
    const fields = /^cron\((.*)\)$/.exec(expression)?.[1] ?? "";
    const reader = new Croner(`0 ${fields}`, {
      mode: "7-part",
      alternativeWeekdays: true,
      domAndDow: true,
      timezone,
      paused: true,
    });
    const next = reader.nextRun(new Date(after * 1000));
    return next ? [next.getTime() / 1000] : [];
  });
  return times.length > 0 ? Math.min(...times) : undefined;
}
