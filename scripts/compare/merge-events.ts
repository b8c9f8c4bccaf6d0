import type { Item } from "./stored-item.ts";

type Packed = { readonly "<packed>": readonly unknown[] };
type Batch = Item & { readonly attempt: number; readonly next_index: number; readonly events: Packed };

/**
 * Events are stored in batches, and where one ends depends on how fast the machine is: what came within a quarter of a
 * second is one batch, and the last one of a run that has ended is on the run's record. So the batches of one attempt are
 * recorded as one. Events that a checkpoint holds because they may not be written yet depend on the same.
 */
export function mergeEvents(items: readonly Item[]): Item[] {
  const batches = items.filter(isBatchItem);
  const rest: readonly Item[] = items.filter((item) => !isBatchItem(item));
  const taken = new Set<Item>();
  const whole = rest.map((item) => {
    const last = item.last_events;
    if (!isBatch(last)) return item;
    const own = batches.filter(
      (batch) => batch.pk === `run#${item.run_id}` && batch.attempt === last.attempt,
    );
    for (const batch of own) taken.add(batch);
    return {
      ...item,
      last_events: joined([...own.map(({ pk, sk, shape, ...batch }) => batch as Batch), last]),
    };
  });
  const groups = Map.groupBy(
    batches.filter((batch) => !taken.has(batch)),
    ({ pk, attempt }) => `${pk} ${attempt}`,
  );
  return [...whole.map(withoutUnwritten), ...[...groups.values()].map(joined)];
}

function joined(batches: readonly Batch[]): Batch {
  const ordered = batches.toSorted((one, other) => one.next_index - other.next_index);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) throw new Error("there is no batch to join");
  const events = ordered.flatMap((batch) => batch.events["<packed>"]);
  return { ...first, next_index: last.next_index, events: { "<packed>": events } };
}

const isBatchItem = (item: Item): item is Batch => String(item.sk).startsWith("event#") && isBatch(item);

function isBatch(value: unknown): value is Batch {
  if (typeof value !== "object" || value === null || !("events" in value)) return false;
  const { events } = value;
  return typeof events === "object" && events !== null && "<packed>" in events;
}

function withoutUnwritten(item: Item): Item {
  const checkpoint = item.checkpoint as { "<packed>"?: object } | undefined;
  if (!checkpoint?.["<packed>"]) return item;
  const { untold: _, ...kept } = checkpoint["<packed>"] as { untold?: unknown };
  return { ...item, checkpoint: { "<packed>": kept } };
}
