import { type Subject, subjectKinds } from "../../domain/platform-events.ts";
import { dueIndex, dueShardOf, dueShards } from "../../work/index.ts";
import { shardOf } from "../index-keys.ts";

/** Everything about one subject: its events, and the deliveries of each. */
export const subjectPartition = ({ kind, id }: Subject): string => `${kind}#${encodeURIComponent(id)}`;

/** What is published of a run is about the run itself or about its job, which has its id. */
export const partitionsOfRun = (id: string): string[] =>
  (["run", "job"] as const).map((kind) => subjectPartition({ kind, id }));

export function subjectOf(partition: string): Subject {
  const at = partition.indexOf("#");
  // As `subjectPartition` writes it.
  return { kind: partition.slice(0, at) as Subject["kind"], id: decodeURIComponent(partition.slice(at + 1)) };
}

const EVENT = "event#";
const DELIVERY = "delivery#";
const WATCH = "watch#";

export const eventKey = (subject: Subject, order: string) => ({
  pk: subjectPartition(subject),
  sk: `${EVENT}${order}`,
});

export const deliveryKey = (subject: Subject, target: string, order: string) => ({
  pk: subjectPartition(subject),
  sk: `${DELIVERY}${target}#${order}`,
});

/** Reminder of a foreground run whose process may be lost. */
export const watchKey = (runId: string) => ({
  pk: subjectPartition({ kind: "run", id: runId }),
  sk: `${WATCH}lease`,
});

export const isEvent = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith(EVENT);
export const isDelivery = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith(DELIVERY);
export const isWatch = ({ sk }: { readonly sk?: unknown }): boolean => String(sk).startsWith(WATCH);

/** A delivery's id says where it is stored. No part of it has a point. */
export const deliveryId = ({ kind, id }: Subject, target: string, order: string): string =>
  [kind, id, target, order].join(".");

/** Where a delivery is stored; undefined for a text that is no id of one. */
export function placeOfDelivery(id: string) {
  const [kind, subjectId, target, order, ...more] = id.split(".");
  const known = subjectKinds.find((one) => one === kind);
  if (!known || !subjectId || !target || !order || more.length > 0) return undefined;
  return { subject: { kind: known, id: subjectId }, target, order } as const;
}

const SHARD_DIGITS = 4;

/** What is due of a subject: an event without deliveries, a delivery, or a look at a run whose process may be lost. */
export const outboxDue = dueIndex<{ readonly subject: Subject }>({
  table: "outbox",
  partition: "due_shard",
  partitions: dueShards,
  keyOf: ({ subject }) => {
    const sort = subjectPartition(subject);
    const digits = shardOf(sort, 2 ** 16)
      .toString(16)
      .padStart(SHARD_DIGITS, "0");
    return { partition: dueShardOf(digits), sort };
  },
  storesTime: true,
  perRound: 250,
});
