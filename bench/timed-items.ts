import type { Db } from "../shared/stores/db.ts";
import { figuresOf, ms, type Row, runConcurrently } from "./figures.ts";

/** Measures work against a store: its time, the processor time of this process, and the number of items read, which does not depend on the machine's load. */
export function timedItems(db: Db): (what: string, times: number, work: () => Promise<void>) => Promise<Row> {
  let itemsRead = 0;
  db.client.middlewareStack.add(
    (next) => async (args) => {
      const answered = await next(args);
      itemsRead += itemsOf(answered.output);
      return answered;
    },
    { step: "initialize" },
  );
  return async (what, times, work) => {
    const before = itemsRead;
    const { user, system } = process.cpuUsage();
    const { timesMs } = await runConcurrently(times, 1, work);
    const used = process.cpuUsage({ user, system });
    const cpuMs = (used.user + used.system) / 1_000 / times;
    const items = Math.round((itemsRead - before) / times).toLocaleString("en");
    return { what, figure: `${ms(figuresOf(timesMs).p50)}, ${ms(cpuMs)} of processor, ${items} items` };
  };
}

/** Items that a query or a batch read scanned; a single read counts as one. */
export function itemsOf(output: object): number {
  const seen = output as {
    readonly ScannedCount?: number;
    readonly Responses?: Readonly<Record<string, readonly unknown[]>>;
  };
  if (seen.ScannedCount !== undefined) return seen.ScannedCount;
  const batched = Object.values(seen.Responses ?? {}).reduce((sum, items) => sum + items.length, 0);
  return seen.Responses ? batched : 1;
}
