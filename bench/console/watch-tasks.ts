import type { CDPSession, Page } from "playwright-core";

export type WatchedTasks = {
  /** Begins to record; what was seen before is forgotten. */
  readonly start: () => Promise<void>;
  /** Ends it. @returns what the tasks took of the processor, in milliseconds, the longest first */
  readonly stop: () => Promise<readonly number[]>;
};

type TraceEvent = {
  readonly name: string;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
};

/**
 * Records the tasks of a page's main thread in the browser's own trace. Time that other processes had the processor does not
 * count: on a machine that runs the platform, too, it would say more about that.
 */
export async function watchTasks(page: Page): Promise<WatchedTasks> {
  const session = await page.context().newCDPSession(page);
  return {
    start: async () => {
      await session.send("Tracing.start", {
        transferMode: "ReportEvents",
        traceConfig: {
          includedCategories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"],
        },
      });
    },
    stop: async () => {
      const events = await endOf(session);
      const main = new Set(
        events
          .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
          .map(({ tid }) => tid),
      );
      return events
        .filter(
          ({ name, tid }) =>
            (name === "RunTask" || name === "ThreadControllerImpl::RunTask") && main.has(tid),
        )
        .map(({ tdur = 0 }) => tdur / 1000)
        .toSorted((a, b) => b - a);
    },
  };
}

async function endOf(session: CDPSession): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as readonly TraceEvent[]));
  });
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  return events;
}
