import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { mergeSpans } from "../../domain/traces/merge-spans.ts";
import type { Span } from "../../schemas/traces/span.ts";
import { type Db, queryPages } from "../db.ts";
import { unpackJson, unspillBytes } from "../objects/spill.ts";
import { ownersPrefix, Spans, StoredSpans, StoredTrace, tracePartition } from "./trace-item.ts";

export type TraceRead = {
  /** Absent until the run has ended or paused for the first time. */
  readonly trace: StoredTrace | undefined;
  /** Each id once. */
  readonly spans: readonly Span[];
  /** How many items they were in. */
  readonly writes: number;
};

/**
 * A trace with its spans.
 *
 * @param owner  whose; undefined for any owner's
 * @param now    epoch seconds; expired items are ignored
 */
export async function readTrace(
  db: Db,
  traceId: string,
  owner: string | null | undefined,
  now: number,
): Promise<TraceRead> {
  const items = (await traceItems(db, traceId, owner)).filter(({ expires_at }) => Number(expires_at) > now);
  const summary = items.find(({ sk }) => String(sk).endsWith("#trace"));
  const batches = await Promise.all(
    items.filter((item) => item !== summary).map((item) => spansIn(db, v.parse(StoredSpans, item))),
  );
  return {
    trace: summary && v.parse(StoredTrace, summary),
    spans: batches.reduce<Span[]>(mergeSpans, []),
    writes: batches.length,
  };
}

const spansIn = async (db: Db, { spans }: StoredSpans): Promise<Span[]> =>
  v.parse(Spans, await unpackJson(await unspillBytes(db, spans)));

/**
 * All items of a trace. Spans are in the order in which they were written: that of the attempts, and of time within them.
 *
 * @param owner  whose; undefined for any owner's
 */
export async function traceItems(db: Db, traceId: string, owner: string | null | undefined): Promise<Item[]> {
  const items: Item[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.traces,
    KeyConditionExpression: `pk = :pk${owner === undefined ? "" : " AND begins_with(sk, :owner)"}`,
    ExpressionAttributeValues: {
      ":pk": tracePartition(traceId),
      ...(owner !== undefined && { ":owner": ownersPrefix(owner) }),
    },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
