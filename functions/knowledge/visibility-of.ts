import { callerOf } from "../../shared/auth/caller.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import type { KnowledgeBase } from "../../shared/knowledge/configured.ts";
import type { Visibility } from "../../shared/stores/knowledge/content-item.ts";

/**
 * Whose contents of a base a caller sees: everybody's, or their own and the shared ones.
 *
 * @source docs/interface/knowledge.md 1.2
 */
export function visibilityOf(principal: Principal, { id }: KnowledgeBase): Visibility {
  const caller = callerOf(principal);
  return { knowledge_id: id, owner: caller.seesAll ? undefined : caller.user_id };
}

/** The owner of what a caller uploads; an admin's uploads are shared. */
export function ownerFor(principal: Principal): string | null {
  const caller = callerOf(principal);
  return caller.seesAll ? null : caller.user_id;
}
