import { pageIdsOf } from "../../domain/knowledge/content-plans.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { getContent } from "../../stores/knowledge/content-item.ts";
import { purgeContent } from "../../stores/knowledge/put-content.ts";
import { knowledgeObjects } from "../../stores/objects/spill.ts";
import { LeaseLost } from "../../work/index.ts";
import { chunkKeys } from "../chunk-keys.ts";
import { markAllRemoved } from "../mark-removed.ts";
import { type LeasedDeps, writeLeased } from "./content-lease.ts";
import { duringStep } from "./step-failed.ts";

/** Chunks between two looks at the lease. */
const BATCH_CHUNKS = 2_000;

/** Removes the chunks of every generation that searches no longer show. */
export async function cleanContent(deps: LeasedDeps, content: StoredContent): Promise<StoredContent> {
  for (const generation of content.stale) {
    for (let from = 1; from <= generation.chunks; from += BATCH_CHUNKS) {
      const keys = chunkKeys(
        content.id,
        generation,
        from,
        Math.min(from + BATCH_CHUNKS - 1, generation.chunks),
      );
      await duringStep("removing its old chunks", () => deps.vectors.remove(generation.index, keys));
      deps.lease.signal.throwIfAborted();
    }
    await duringStep("removing its words", () =>
      deps.words.remove(content.knowledge_id, { id: content.id, hash: generation.hash }),
    );
  }
  const removed = new Set(content.stale.map(({ hash }) => hash));
  return writeLeased(deps, content, (seen) => ({
    ...seen,
    stale: seen.stale.filter(({ hash }) => !removed.has(hash)),
  }));
}

/**
 * Purges a removed content that has no chunks any more: its bytes, then its record.
 *
 * @returns the content if it was uploaded again in the meantime
 */
export async function purgeRemoved(
  deps: LeasedDeps,
  content: StoredContent,
): Promise<StoredContent | undefined> {
  const { knowledge_id, id, revision, lease_token, input } = content;
  // The pages of a site go with it.
  if (input.kind === "site")
    await markAllRemoved(deps, knowledge_id, [...pageIdsOf(input), ...(input.before ?? [])]);
  // A later upload has a later revision and other objects.
  for (let one = 1; one <= revision; one += 1) {
    await duringStep("removing its bytes", () =>
      deps.db.objects.removeAll(knowledgeObjects(knowledge_id, id, one)),
    );
  }
  if (await purgeContent(deps.db, content)) return undefined;
  const seen = await getContent(deps.db, content);
  if (seen && seen.lease_token !== lease_token) throw new LeaseLost("another worker has claimed the content");
  return seen;
}
