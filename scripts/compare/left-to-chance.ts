import type { Item } from "./stored-item.ts";

type Facts = Readonly<Record<string, unknown>>;

const SLOT = /^foreground#\d+$/;
const perRun = {
  sk: "foreground#<number>",
  run_id: "<the run that had it last>",
  expires_at: "<when it is free>",
};

/**
 * The items without what depends on chance:
 *
 *   foreground slots    one for each user, without its number, run and time: the number of a slot is random, and the next
 *                       run may take a slot that another one has freed, so even how many are stored differs
 *   seals               those of the audit, and what marks its records until the next one: the sweeper makes them each minute
 *   revisions           those of a schedule's attempts: a run that ends before its caller has recorded that it started saves
 *                       that write
 *   times of changes    those in the facts of the audit, which has only what differs: two changes of one second have the same
 *   counts of requests  are left out: waiting for something takes more or fewer requests, and only many are counted
 */
export function withoutChance(items: readonly Item[]): Item[] {
  const seen = new Set<unknown>();
  return items.flatMap((item) => {
    if (/^(?:requests#|seals#|chain$)/.test(String(item.pk))) return [];
    if (item.due === "unsealed" || typeof item.seal === "number") {
      const { due: _due, due_at: _at, seal: _seal, before, after, ...record } = item;
      return [{ ...record, before: timeless(before), after: timeless(after) }];
    }
    if (typeof item.slot === "string") return [{ ...item, revision: "<revision>" }];
    if (!SLOT.test(String(item.sk))) return [item];
    if (seen.has(item.pk)) return [];
    seen.add(item.pk);
    return [{ ...item, ...perRun }];
  });
}

const timeless = (facts: unknown): unknown => {
  if (typeof facts !== "object" || facts === null) return facts;
  const { updated_at: _, ...rest } = facts as Facts;
  return rest;
};
