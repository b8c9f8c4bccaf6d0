import type { Item } from "../data/index.ts";
import type { TableName } from "../settings/table-env.ts";
import { type Db, queryPages } from "../stores/db.ts";

/** Partitions of an index by_due, so that items due in the same minute are not one hot key. */
const DUE_SHARDS = 4;

export const dueShards: readonly string[] = Array.from({ length: DUE_SHARDS }, (_, shard) => `due#${shard}`);

/** @param digits  hexadecimal; the last four choose the shard, so they must be evenly distributed */
export const dueShardOf = (digits: string): string =>
  `due#${(Number.parseInt(digits.slice(-4), 16) || 0) % DUE_SHARDS}`;

const padded = (seconds: number): string => String(Math.ceil(seconds)).padStart(12, "0");

/** Sorts by time. @param at epoch seconds */
export const dueSort = (at: number, id: string): string => `${padded(at)}#${id}`;

/** Reads the time back; epoch seconds. */
const dueAtOf = (due: string): number => Number(due.slice(0, due.indexOf("#")));

/** All items due at this instant or before sort before this. @param now epoch seconds */
const dueUntil = (now: number): string => padded(now + 1);

/** How the records of a kind get into the index by_due of their table, and are found there. */
type DueIndex<Ref> = {
  readonly table: TableName;
  /** Attribute of the index's partition key. */
  readonly partition: "due_key" | "due_shard";
  readonly partitions: readonly string[];
  /** The keys of a record in the index. */
  readonly keyOf: (ref: Ref) => { readonly partition: string; readonly sort: string };
  /** Whether the time is also an attribute of its own, `due_at`. */
  readonly storesTime: boolean;
  /** Rows of one partition that one round reads at most, about; the next round continues. */
  readonly perRound: number;
  /** A record that has been due for less than this may have a message under way. */
  readonly settlingSeconds?: number;
  /** What is due so soon after the round gets a message that is delayed until then. */
  readonly aheadSeconds?: number;
};

/** Something that is due. */
export type Due = {
  /** What names it: a row of the index, or attributes of the record. */
  readonly row: Item;
  /** Epoch seconds. */
  readonly dueAt: number;
};

/** How it is stored when a record is due, and how those that are due are found. */
export type DueRow<Ref> = {
  /** @param at  epoch seconds; undefined for never, which removes the attributes */
  readonly attributes: (ref: Ref, at: number | undefined) => Item;
  /** What is due, or is so soon that its message is sent now. @param now epoch seconds */
  readonly list: (db: Db, now: number) => Promise<readonly Due[]>;
};

/** The clocks of two functions may differ by this; a wake-up that came too early would find nothing to do. */
const SKEW_SECONDS = 1;

/** Delay of a message that is to arrive when something is due. @param dueAt epoch seconds; now epoch seconds */
export const delayUntil = (dueAt: number, now: number): number =>
  dueAt > now ? Math.ceil(dueAt - now) + SKEW_SECONDS : 0;

/** Work that is found in an index by_due. */
export function dueIndex<Ref>(index: DueIndex<Ref>) {
  const { partition, keyOf, storesTime, settlingSeconds = 0, aheadSeconds = 0 } = index;
  /** The keys of a record in the index. @param at epoch seconds */
  const keys = (ref: Ref, at: number) => {
    const key = keyOf(ref);
    return { [partition]: key.partition, due: dueSort(at, key.sort) };
  };
  const none = { [partition]: undefined, due: undefined };
  return {
    keys,
    attributes: (ref: Ref, at: number | undefined): Item => ({
      ...(storesTime && { due_at: at }),
      ...(at === undefined ? none : keys(ref, at)),
    }),
    async list(db: Db, now: number): Promise<Due[]> {
      const rows = await Promise.all(
        index.partitions.map((value) => dueRows(db, index, value, now + aheadSeconds)),
      );
      return rows
        .flat()
        .map((row) => ({ row, dueAt: dueAtOf(String(row.due)) }))
        .filter(({ dueAt }) => dueAt > now || dueAt <= now - settlingSeconds);
    },
  };
}

async function dueRows(
  db: Db,
  { table, partition, perRound }: Pick<DueIndex<never>, "table" | "partition" | "perRound">,
  value: string,
  until: number,
): Promise<Item[]> {
  const due: Item[] = [];
  const pages = queryPages(db, {
    TableName: db.tables[table],
    IndexName: "by_due",
    KeyConditionExpression: "#partition = :partition AND #due < :until",
    ExpressionAttributeNames: { "#partition": partition, "#due": "due" },
    ExpressionAttributeValues: { ":partition": value, ":until": dueUntil(until) },
    Limit: perRound,
  });
  for await (const { Items = [] } of pages) {
    due.push(...Items);
    if (due.length >= perRound) break;
  }
  return due;
}
