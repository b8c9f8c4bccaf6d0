import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { type BaseSelector, type KnowledgeBase, selectBase } from "../../shared/knowledge/configured.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getContent } from "../../shared/stores/knowledge/content-item.ts";

type Needs = { readonly db: Db; readonly bases: readonly KnowledgeBase[] };

/**
 * The content that a request is about.
 *
 * @throws ServiceError NOT_FOUND for one that is unknown, removed, another user's, or of another base
 */
export async function visibleContent(
  { db, bases }: Needs,
  principal: Principal,
  id: string,
  selector: BaseSelector,
): Promise<StoredContent> {
  const base = selectBase(bases, selector);
  const caller = callerOf(principal);
  const content = await getContent(db, { knowledge_id: base.id, id });
  const isVisible = content && (caller.seesAll || content.owner === null || content.owner === caller.user_id);
  if (!isVisible || content.removed) throw notFound("content", id);
  return content;
}

/**
 * A content that the caller may change.
 *
 * @throws ServiceError UNAUTHORIZED for a shared one, which only an admin changes
 */
export async function ownContent(
  needs: Needs,
  principal: Principal,
  id: string,
  selector: BaseSelector,
): Promise<StoredContent> {
  const content = await visibleContent(needs, principal, id, selector);
  if (content.owner === null && !callerOf(principal).seesAll) {
    throw new ServiceError("UNAUTHORIZED", "this content is shared; only an admin may change it");
  }
  return content;
}
