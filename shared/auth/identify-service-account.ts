import type { AccessStore, TokenRecord } from "./access-store.ts";
import type { Identified } from "./identified.ts";
import { hashOfToken } from "./service-account-token.ts";

type Options = {
  readonly store: () => Promise<AccessStore>;
  /** How long a token that was found good is not looked up again; 0 looks every one up. */
  readonly cacheSeconds: number;
  readonly adminScope: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told what went wrong with the store; the caller only learns that something did. */
  readonly onFault: (cause: unknown) => void;
};

/** @param address  where the request came from, by the connection and not by any header */
export type IdentifyServiceAccount = (token: string, address: string) => Promise<Identified>;

const FAILURES_PER_WINDOW = 20;
const USE_NOTED_EVERY_SECONDS = 60;
const MOST_REMEMBERED = 10_000;

const refused = { outcome: "unauthenticated", detail: "Invalid or expired token" } as const;
const unavailable = {
  outcome: "unavailable",
  detail: "Service accounts cannot be looked up now; try again later",
} as const;

/**
 * Makes the function that checks service-account tokens. Unknown, revoked and expired ones are refused in the same
 * words, and a table that cannot be read opens nothing.
 *
 * @source contract, auth section 4
 */
export function createIdentifyServiceAccount(options: Options): IdentifyServiceAccount {
  const { store, adminScope, now, onFault } = options;
  const find = cachedFind(options);
  const noteUse = createNoteUse(options);
  const refuse = createRefusal(options);
  return async (token, address) => {
    const seconds = Math.floor(now() / 1000);
    try {
      const record = await find(hashOfToken(token), seconds);
      if (!record || !isGood(record, seconds)) return refuse(await store(), address, seconds);
      await noteUse(record.account_id, seconds);
      return { outcome: "identified", principal: principalOf(record, adminScope) };
    } catch (error) {
      onFault(error);
      return unavailable;
    }
  };
}

const isGood = ({ revoked_at, valid_until }: TokenRecord, now: number): boolean =>
  revoked_at === undefined && (valid_until === undefined || valid_until > now);

const principalOf = ({ name, scopes }: TokenRecord, adminScope: string) => ({
  kind: "service_account" as const,
  user_id: `sa:${name}`,
  scopes,
  admin: scopes.includes(adminScope),
});

/** Remembers good tokens only; whether one has expired is asked again every time. */
function cachedFind({ store, cacheSeconds }: Options) {
  const known = new Map<string, { readonly record: TokenRecord; readonly readAt: number }>();
  return async (hash: string, now: number): Promise<TokenRecord | undefined> => {
    const cached = known.get(hash);
    if (cached && now - cached.readAt < cacheSeconds) return cached.record;
    known.delete(hash);
    const record = await (await store()).findToken(hash);
    if (!record || !isGood(record, now) || cacheSeconds === 0) return record;
    keepSmall(known);
    known.set(hash, { record, readAt: now });
    return record;
  };
}

/** A use that cannot be noted is no reason to refuse the request. */
function createNoteUse({ store, onFault }: Options) {
  const noted = new Map<string, number>();
  return async (accountId: string, now: number): Promise<void> => {
    if (now - (noted.get(accountId) ?? 0) < USE_NOTED_EVERY_SECONDS) return;
    keepSmall(noted);
    noted.set(accountId, now);
    await store()
      .then(({ recordUse }) => recordUse(accountId, now))
      .catch(onFault);
  };
}

/**
 * Counts failures by address. Beyond the limit only the words of the refusal change, because a good token must pass
 * from everywhere; so a count that fails changes nothing either.
 *
 * An address that is over the limit is remembered until its window ends, and costs no more writes.
 */
function createRefusal({ onFault }: Options) {
  const over = new Map<string, number>();
  const throttled = (endsAt: number, now: number): Identified => ({
    outcome: "throttled",
    detail: "Too many failed attempts; try again later",
    retry_after_seconds: Math.max(1, endsAt - now),
  });
  return async (store: AccessStore, address: string, now: number): Promise<Identified> => {
    const knownUntil = over.get(address) ?? 0;
    if (knownUntil > now) return throttled(knownUntil, now);
    const counted = await store.countFailure(address, now).catch(onFault);
    if (!counted || counted.count <= FAILURES_PER_WINDOW) return refused;
    keepSmall(over);
    over.set(address, counted.ends_at);
    return throttled(counted.ends_at, now);
  };
}

/** What is only remembered to save a read may be forgotten at any time. */
function keepSmall(remembered: Map<string, unknown>): void {
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
}
