import type { Db } from "../shared/stores/db.ts";
import { figuresOf, inLanes, ms, type Row } from "./figures.ts";

/** Times work against a store, and tells beside it how many items were read: no other load on the machine changes that. */
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
    const { timesMs } = await inLanes(times, 1, work);
    const items = Math.round((itemsRead - before) / times).toLocaleString("en");
    return { what, figure: `${ms(figuresOf(timesMs).p50)}, ${items} items` };
  };
}

/** Items that a query or a batch read looked at; a single read is one. */
export function itemsOf(output: object): number {
  const seen = output as {
    readonly ScannedCount?: number;
    readonly Responses?: Readonly<Record<string, readonly unknown[]>>;
  };
  if (seen.ScannedCount !== undefined) return seen.ScannedCount;
  const batched = Object.values(seen.Responses ?? {}).reduce((sum, items) => sum + items.length, 0);
  return seen.Responses ? batched : 1;
}
