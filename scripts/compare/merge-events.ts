import type { Item } from "./stored-item.ts";

type Packed = { readonly "<packed>": readonly unknown[] };
type Batch = Item & { readonly attempt: number; readonly next_index: number; readonly events: Packed };

/**
 * Merges the event batches of each attempt, because their sizes depend on the speed of the machine: a batch has the
 * events of a quarter of a second, and the last batch of an ended run is on the run's record. Events that a checkpoint
 * contains because they are not stored yet depend on the same, and are left out.
 */
export function mergeEvents(items: readonly Item[]): Item[] {
  const batches = items.filter(isBatchItem);
  const rest: readonly Item[] = items.filter((item) => !isBatchItem(item));
  const merged = new Set<Item>();
  const whole = rest.map((item) => {
    const last = item.last_events;
    if (!isBatch(last)) return item;
    const own = batches.filter(
      (batch) => batch.pk === `run#${item.run_id}` && batch.attempt === last.attempt,
    );
    for (const batch of own) merged.add(batch);
    return {
      ...item,
      last_events: joinBatches([...own.map(({ pk, sk, shape, ...batch }) => batch as Batch), last]),
    };
  });
  const groups = Map.groupBy(
    batches.filter((batch) => !merged.has(batch)),
    ({ pk, attempt }) => `${pk} ${attempt}`,
  );
  return [...whole.map(withoutUnstored), ...[...groups.values()].map(joinBatches)];
}

function joinBatches(batches: readonly Batch[]): Batch {
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

function withoutUnstored(item: Item): Item {
  const checkpoint = item.checkpoint as { "<packed>"?: object } | undefined;
  if (!checkpoint?.["<packed>"]) return item;
  const { untold: _, ...rest } = checkpoint["<packed>"] as { untold?: unknown };
  return { ...item, checkpoint: { "<packed>": rest } };
}
