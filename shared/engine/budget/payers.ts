import type { Clock } from "../../runtime/clock.ts";
import { accountNameOf } from "../../schemas/access/account-user-id.ts";
import type { Db } from "../../stores/db.ts";
import type { NamedAccount } from "../../stores/service-accounts/find-name.ts";
import { ownerChain } from "../../stores/service-accounts/owner-chain.ts";
import type { Payer, SpendingLimits } from "../ports/budget-port.ts";

/** In whose day a call is counted. */
export type PayingUser = {
  readonly payer: Payer;
  /** The id under which the day is counted. */
  readonly id: string | null;
  /** Those of an account; a user's are a setting. */
  readonly limits?: SpendingLimits;
};

/** A name's owner never changes; another account of the name may have other limits. */
const CACHE_MS = 60_000;
const MAX_CACHED = 10_000;

/** Reads who pays for a user id, and caches it for a minute. Only service accounts are looked up. */
export function cachedPayers(db: Db, clock: Pick<Clock, "now">) {
  const cache = new Map<string, { readonly payers: Promise<PayingUser[]>; readonly readAt: number }>();
  return async (user_id: string | null): Promise<readonly PayingUser[]> => {
    if (user_id === null || accountNameOf(user_id) === undefined) return [{ payer: "user", id: user_id }];
    const cached = cache.get(user_id);
    if (cached && clock.now() - cached.readAt < CACHE_MS) return cached.payers;
    if (cache.size >= MAX_CACHED) cache.clear();
    const payers = readPayers(db, user_id);
    cache.set(user_id, { payers, readAt: clock.now() });
    // A failure is not cached.
    payers.catch(() => cache.delete(user_id));
    return payers;
  };
}

/**
 * The user at the end of the chain of owners, and every account on the way that has limits: so an account escapes neither
 * its owner's budget nor its own by minting others. An account without an owner pays for itself.
 */
async function readPayers(db: Db, user_id: string): Promise<PayingUser[]> {
  const { accounts, root } = await ownerChain(db, user_id);
  const limited = accounts.flatMap(({ id, account }): PayingUser[] => {
    const limits = limitsOf(account);
    return limits ? [{ payer: "account", id, limits }] : [];
  });
  return [{ payer: "user", id: root }, ...limited];
}

function limitsOf(account: NamedAccount | undefined): SpendingLimits | undefined {
  const { daily_tokens: tokens, daily_cost: cost } = account ?? {};
  if (tokens === undefined && cost === undefined) return undefined;
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
}
