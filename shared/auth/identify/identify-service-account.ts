import type { AccessStore, TokenRecord } from "../access-store.ts";
import type { Identified } from "./identified.ts";
import { isValidAccount, principalOfAccount } from "./principal-of-account.ts";
import { hashOfToken, isAppToken } from "./service-account-token.ts";

type Options = {
  readonly store: () => Promise<AccessStore>;
  /** How long a valid token is not looked up again; 0 looks up every one. */
  readonly cacheSeconds: number;
  /** Tokens that are looked up for one address although they are not known here; 0 sets no limit. */
  readonly unauthenticatedPerMinute: number;
  readonly adminScope: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with a fault of the store; the caller only learns that there was one. */
  readonly onFault: (cause: unknown) => void;
};

/** @param address  of the connection, never from a header */
export type IdentifyServiceAccount = (token: string, address: string) => Promise<Identified>;

const FAILURES_PER_WINDOW = 20;
const USE_RECORDED_EVERY_SECONDS = 60;
const MAX_CACHED = 10_000;

const refused = { outcome: "unauthenticated", detail: "Invalid or expired token" } as const;
const unavailable = {
  outcome: "unavailable",
  detail: "Service accounts cannot be looked up now; try again later",
} as const;

/**
 * Makes the function that checks service-account tokens. Unknown, revoked and expired ones are refused with the same
 * text, and when the table cannot be read every token is refused.
 *
 * @source docs/interface/access.md 3.1
 */
export function createIdentifyServiceAccount(options: Options): IdentifyServiceAccount {
  const { store, adminScope, now, onFault } = options;
  const find = cachedFind(options);
  const recordLastUse = createRecordUse(options);
  const refuse = createRefusal(options);
  const unknown = createUnknownTokens(options);
  return async (token, address) => {
    const seconds = Math.floor(now() / 1000);
    const hash = hashOfToken(token);
    try {
      const over = await unknown.count(hash, address, seconds);
      if (over) return over;
      const record = await find(hash, seconds, isAppToken(token));
      if (!record || !isValidAccount(record, seconds)) return refuse(await store(), address, seconds);
      unknown.forget(hash, address);
      await recordLastUse(record.account_id, seconds);
      return { outcome: "identified", principal: principalOfAccount(record, adminScope) };
    } catch (error) {
      onFault(error);
      return unavailable;
    }
  };
}

/** Caches the records of valid tokens only; expiry is checked again every time. */
function cachedFind({ store, cacheSeconds }: Options) {
  const cache = new Map<string, { readonly record: TokenRecord; readonly readAt: number }>();
  return async (hash: string, now: number, isApp: boolean): Promise<TokenRecord | undefined> => {
    const cached = cache.get(hash);
    if (cached && now - cached.readAt < cacheSeconds) return cached.record;
    cache.delete(hash);
    const { findToken, findAppToken } = await store();
    const record = await (isApp ? findAppToken : findToken)(hash);
    if (!record || !isValidAccount(record, now) || cacheSeconds === 0) return record;
    limitSize(cache);
    cache.set(hash, { record, readAt: now });
    return record;
  };
}

/** A use that cannot be recorded is no reason to refuse the request. */
function createRecordUse({ store, onFault }: Options) {
  const recordedAt = new Map<string, number>();
  return async (accountId: string, now: number): Promise<void> => {
    if (now - (recordedAt.get(accountId) ?? 0) < USE_RECORDED_EVERY_SECONDS) return;
    limitSize(recordedAt);
    recordedAt.set(accountId, now);
    await store()
      .then(({ recordUse }) => recordUse(accountId, now))
      .catch(onFault);
  };
}

/**
 * Counts failures by address. Beyond the limit only the text of the refusal changes, because a valid token must pass
 * from every address; so a fault while counting changes nothing either.
 *
 * An address that is over the limit is cached until its window ends, and costs no more writes.
 */
function createRefusal({ onFault }: Options) {
  const over = new Map<string, number>();
  return async (store: AccessStore, address: string, now: number): Promise<Identified> => {
    const knownUntil = over.get(address) ?? 0;
    if (knownUntil > now) return throttled(knownUntil, now);
    const counted = await store.countFailure(address, now).catch(onFault);
    if (!counted || counted.count <= FAILURES_PER_WINDOW) return refused;
    limitSize(over);
    over.set(address, counted.ends_at);
    return throttled(counted.ends_at, now);
  };
}

const throttled = (endsAt: number, now: number): Identified => ({
  outcome: "throttled",
  detail: "Too many failed attempts; try again later",
  retry_after_seconds: Math.max(1, endsAt - now),
});

const WINDOW_SECONDS = 60;

/** Seconds after which an instance may list the tokens of all accounts again. */
const LISTED_EVERY_SECONDS = 5;

/**
 * Counts, before anything is read, tokens that are not known here by address: each of them costs a read, and an invalid one a
 * write. A token counts until its account is found; once it was valid here it is known.
 *
 * @decided  While an address is over the limit, a token that this instance has never seen is looked for among those of all
 *           accounts, which it lists once in five seconds at most. So a flood costs no more reads than its time allows, and a
 *           valid token passes from every address. One that is younger than the list waits for the next, with `Retry-After`.
 */
function createUnknownTokens({ store, unauthenticatedPerMinute: limit }: Options) {
  const known = new Set<string>();
  const windows = new Map<string, { endsAt: number; count: number }>();
  const isListed = createListed(store);
  return {
    async count(hash: string, address: string, now: number): Promise<Identified | undefined> {
      if (limit === 0 || known.has(hash)) return undefined;
      let window = windows.get(address);
      if (!window || window.endsAt <= now) {
        limitSize(windows);
        window = { endsAt: now + WINDOW_SECONDS, count: 0 };
        windows.set(address, window);
      }
      if (window.count < limit) {
        window.count += 1;
        return undefined;
      }
      const { found, again_at } = await isListed(hash, now);
      return found ? undefined : throttled(Math.min(again_at, window.endsAt), now);
    },
    forget(hash: string, address: string): void {
      if (limit === 0 || known.has(hash)) return;
      limitSize(known);
      known.add(hash);
      const window = windows.get(address);
      if (window) window.count = Math.max(0, window.count - 1);
    },
  };
}

/** Whether a token is one of all accounts', by a list that is at most five seconds old. */
function createListed(store: Options["store"]) {
  let list: { readonly hashes: Promise<ReadonlySet<string>>; readonly again_at: number } | undefined;
  return async (hash: string, now: number): Promise<{ found: boolean; again_at: number }> => {
    if (!list || list.again_at <= now) {
      const hashes = store().then(({ listTokens }) => listTokens());
      list = { hashes, again_at: now + LISTED_EVERY_SECONDS };
    }
    const { hashes, again_at } = list;
    return { found: (await hashes).has(hash), again_at };
  };
}

/** A cache that only saves reads may be cleared at any time. */
function limitSize(cache: Pick<Map<string, unknown>, "size" | "clear">): void {
  if (cache.size >= MAX_CACHED) cache.clear();
}
