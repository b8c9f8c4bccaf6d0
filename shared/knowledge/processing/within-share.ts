import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import {
  freeShareSlot,
  stopWaiting,
  takeShareSlot,
  takeWaiting,
  waitForShare,
} from "../../stores/knowledge/owner-share.ts";
import { wake } from "../add-content.ts";
import { openContent } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/**
 * Works on a content while its owner has a slot for it. Without one the content waits, and the end of another one of that owner
 * wakes it.
 *
 *   a thousand files of maria ─▶ 4 are processed, 996 wait ── one ends ─▶ a message for the oldest that waits
 *   one file of otto          ─▶ a free worker
 *
 * What has no owner is the operator's own, and has no share, as runs have none.
 */
export async function withinShare(
  deps: ProcessingDeps,
  content: StoredContent,
  work: () => Promise<void>,
): Promise<void> {
  const { owner } = content;
  if (owner === null) return work();
  const { db, clock } = deps;
  const holder = deps.newWorkerId();
  const take = () => takeShareSlot(db, owner, holder, epochSeconds(clock));
  let slot = await take();
  if (!slot) {
    await waitForShare(db, owner, content, epochSeconds(clock));
    // A slot may have become free before anybody could see that this content waits.
    slot = await take();
    if (!slot) return;
    await stopWaiting(db, owner, content);
  }
  try {
    await work();
  } finally {
    await freeShareSlot(db, slot);
    await wakeNext(deps, owner);
  }
}

/** The first that waits and still has work: others were removed in the meantime. */
async function wakeNext(deps: ProcessingDeps, owner: string): Promise<void> {
  for (let next = await takeWaiting(deps.db, owner); next; next = await takeWaiting(deps.db, owner)) {
    if (await openContent(deps, next)) return wake(deps, next);
  }
}
