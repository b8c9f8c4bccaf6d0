import type { Item } from "./stored-item.ts";

const SLOT = /^foreground#\d+$/;
const perRun = {
  sk: "foreground#<number>",
  run_id: "<the run that had it last>",
  expires_at: "<when it is free>",
};

/**
 * Records one foreground slot for each user, without what depends on chance: the number of a slot is random, and the next
 * run may take a slot that another one has freed, so even how many are stored differs.
 */
export function oneSlotPerUser(items: readonly Item[]): Item[] {
  const seen = new Set<unknown>();
  return items.flatMap((item) => {
    if (!SLOT.test(String(item.sk))) return [item];
    if (seen.has(item.pk)) return [];
    seen.add(item.pk);
    return [{ ...item, ...perRun }];
  });
}
