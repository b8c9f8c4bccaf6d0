import type { Page } from "playwright-core";

export type LongTasks = {
  /** Forgets what was seen so far. */
  readonly reset: () => Promise<void>;
  /** Their durations in milliseconds. */
  readonly read: () => Promise<readonly number[]>;
};

/** Records what holds up a page for longer than 50 ms. Call before the page is opened. @source W3C Long Tasks */
export async function watchLongTasks(page: Page): Promise<LongTasks> {
  await page.addInitScript(`
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
    }).observe({ type: "longtask", buffered: true });
  `);
  return {
    reset: () => page.evaluate("void (globalThis.longTasks.length = 0)"),
    read: () => page.evaluate("globalThis.longTasks"),
  };
}
