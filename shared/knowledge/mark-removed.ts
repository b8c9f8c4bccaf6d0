import { planRemoval } from "../domain/knowledge/content-plans.ts";
import { type Clock, epochSeconds } from "../runtime/clock.ts";
import type { StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import { getContents } from "../stores/knowledge/content-item.ts";
import { changeContent } from "../stores/knowledge/put-content.ts";
import { type AddDeps, wake } from "./add-content.ts";

type Deps = AddDeps & { readonly clock: Clock };

/**
 * Marks a content as removed: from now on it is not found. A worker then removes what is stored of it.
 *
 * @returns false where another request has removed it already
 */
export async function markRemoved(deps: Deps, content: StoredContent): Promise<boolean> {
  const now = epochSeconds(deps.clock);
  let removedHere = false;
  await changeContent(deps.db, content, (seen) => {
    removedHere = !seen.removed;
    return seen.removed ? undefined : planRemoval(seen, now);
  });
  if (removedHere) await wake(deps, content);
  return removedHere;
}

/** Marks all contents with these ids as removed. Those that are gone already stay so. */
export async function markAllRemoved(deps: Deps, knowledgeId: string, ids: readonly string[]): Promise<void> {
  const contents = await getContents(deps.db, knowledgeId, ids);
  for (const content of contents.values()) if (!content.removed) await markRemoved(deps, content);
}
