import type { Clock } from "../../runtime/clock.ts";
import type { Db } from "../../stores/db.ts";
import { findAccountByName } from "../../stores/service-accounts/find-account-by-name.ts";
import type { SpendingLimits } from "../ports/budget-port.ts";

/** Who pays for a user's calls. Ids are those under which the day is counted. */
type Payers = {
  readonly user: string | null;
  readonly account: string | null;
  /** Absent where the account has none. */
  readonly accountLimits?: SpendingLimits;
};

/** First part of the user ids of service accounts; no token of a user may carry it. */
const ACCOUNT = "sa:";
/** An account's owner and limits never change; another account of its name may have others. */
const CACHE_MS = 60_000;
const MAX_CACHED = 10_000;

/** Reads who pays for a user id, and caches it for a minute. Only service accounts are looked up. */
export function cachedPayers(db: Db, clock: Pick<Clock, "now">) {
  const cache = new Map<string, { readonly payers: Promise<Payers>; readonly readAt: number }>();
  return async (user_id: string | null): Promise<Payers> => {
    if (!user_id?.startsWith(ACCOUNT)) return { user: user_id, account: null };
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

/** An account without an owner pays for itself, as an account that is not found does. */
async function readPayers(db: Db, user_id: string): Promise<Payers> {
  const account = await findAccountByName(db, user_id.slice(ACCOUNT.length));
  const limits = {
    ...(account?.daily_tokens !== undefined && { tokens: account.daily_tokens }),
    ...(account?.daily_cost !== undefined && { cost: account.daily_cost }),
  };
  const hasLimits = Object.keys(limits).length > 0;
  return {
    user: account?.user_id ?? user_id,
    account: user_id,
    ...(hasLimits && { accountLimits: limits }),
  };
}
