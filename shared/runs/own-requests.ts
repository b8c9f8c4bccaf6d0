import type { Approvers } from "../auth/may-approve.ts";
import type { Principal } from "../auth/principal.ts";
import type { Db } from "../stores/db.ts";
import { ownerChain } from "../stores/service-accounts/owner-chain.ts";

/**
 * Which requesters count as a principal itself where another pair of eyes is asked for: who minted an account stands behind
 * what it asks for and what it decides, so the users at the ends of both chains of owners are compared.
 *
 * @param requesters  users whose runs ask
 */
export async function ownRequests(
  db: Db,
  { user_id }: Pick<Principal, "user_id">,
  requesters: readonly (string | null)[],
  approvers: Approvers,
): Promise<(requester: string | null) => boolean> {
  if (approvers !== "scope") return () => false;
  const rootOf = async (id: string | null) => [id, (await ownerChain(db, id)).root] as const;
  const [[, own], ...others] = await Promise.all([rootOf(user_id), ...[...new Set(requesters)].map(rootOf)]);
  const roots = new Map(others);
  return (requester) => requester === user_id || roots.get(requester) === own;
}
