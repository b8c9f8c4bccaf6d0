import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { absentOr, atMost, below, type Item, plus, updateItem, writeAndRead } from "../../data/index.ts";
import { COUNTING_MS, type DepthStore, type QueueDepth } from "../../domain/jobs/queue-depth.ts";
import type { Db } from "../db.ts";
import { countInIndex } from "./counters.ts";
import { depthKey } from "./job-keys.ts";
import { countQueuedOf } from "./jobs-of-user.ts";

/** Version of the stored shape; raised with every change of it. */
export const DEPTH_SHAPE = 1;

/** A reading that was not replaced for so long disappears. */
const LIFE_SECONDS = 3_600;
/** The reading of the queue's depth, as all processes share it. */
export const StoredDepth: v.GenericSchema<unknown, QueueDepth> = v.object({
  taken: v.number(),
  base: v.number(),
  counted: v.number(),
  counted_at: v.number(),
  counting_at: v.optional(v.number()),
});

const depthFrom = (item: Item | undefined): QueueDepth | undefined => item && v.parse(StoredDepth, item);

/** The readings of the database's queue. */
export function depthIn(db: Db): DepthStore {
  const change = async (of: string | null, changes: Parameters<typeof updateItem>[2]) => {
    const result = await writeAndRead(db, updateItem("jobs", depthKey(of), changes));
    return { written: result.written, depth: depthFrom(result.written ? result.item : result.seen) };
  };
  return {
    count: (of) => (of === null ? countInIndex(db, "queued") : countQueuedOf(db, of)),
    async read(of) {
      const { Item } = await db.client.send(new GetCommand({ TableName: db.tables.jobs, Key: depthKey(of) }));
      return depthFrom(Item);
    },
    async take(of, { counted_at, base }, places, limit) {
      const guard = { counted_at, taken: atMost(limit - places - base) };
      const { written, depth } = await change(of, { set: { taken: plus(places) }, guard });
      return { taken: written, depth };
    },
    async begin(of, { counted_at }, now) {
      const guard = { counted_at, counting_at: absentOr(below(now - COUNTING_MS)) };
      const { written, depth } = await change(of, { set: { counting_at: now }, guard });
      return written ? depth : undefined;
    },
    async record(of, { counted, counted_at, replaces }) {
      const expires_at = Math.ceil(counted_at / 1000) + LIFE_SECONDS;
      const set = { counted, counted_at, counting_at: undefined, expires_at, shape: DEPTH_SHAPE };
      const changes = replaces
        ? {
            set: { ...set, base: counted - replaces.taken },
            guard: { counted_at: replaces.counted_at },
          }
        : { set: { ...set, base: counted, taken: 0 }, guard: { counted_at: absentOr(below(counted_at)) } };
      return (await change(of, changes)).depth;
    },
  };
}
