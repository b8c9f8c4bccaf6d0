import { createPublicKey, type KeyObject } from "node:crypto";
import type { Issuer } from "../../settings/values/issuers.ts";

/** JWK as the library and `node:crypto` both accept it. */
export type PublicJwk = { kty: string; kid?: string; alg?: string; use?: string } & Record<string, unknown>;
export type PublicKey = { readonly jwk: PublicJwk; readonly object: KeyObject };

/** Keys that may have signed a token with this key id, in the order in which to try them. */
export type KeySource = (kid: string | undefined) => Promise<readonly PublicKey[]>;

/** Fetches a JWKS document. Rejects when that fails. */
export type FetchJwks = (uri: string) => Promise<{ readonly keys: readonly PublicJwk[] }>;

const REFRESH_AFTER_MS = 600_000;
const REFETCH_AFTER_MS = 10_000;

/**
 * Collects an issuer's keys: its JWKS first, then its fixed keys.
 *
 * @param now  milliseconds since the epoch
 * @throws Error when a key of the configuration cannot be read
 * @source docs/interface/access.md 2.1
 */
export function createKeySource(issuer: Issuer, fetchJwks: FetchJwks, now: () => number): KeySource {
  const inline = (issuer.jwks?.keys ?? []).map((jwk) => publicKey(plain(jwk)));
  const fixed = (issuer.public_keys ?? []).map(fromPem);
  const remote = issuer.jwks_uri === undefined ? undefined : remoteKeys(issuer.jwks_uri, fetchJwks, now);
  return async (kid) => {
    const published = remote ? [...inline, ...(await remote(kid))] : inline;
    return [...matching(published, kid), ...fixed];
  };
}

/** The key with that id; where there is none, the keys without an id. */
function matching(keys: readonly PublicKey[], kid: string | undefined): readonly PublicKey[] {
  const named = kid === undefined ? [] : keys.filter(({ jwk }) => jwk.kid === kid);
  return named.length > 0 ? named : keys.filter(({ jwk }) => jwk.kid === undefined);
}

/**
 * Keys behind an address, cached for ten minutes. An unknown key id fetches them again at once (keys rotate), but not
 * more often than every ten seconds, or any client could make us flood the issuer. When a refresh fails, the cached
 * keys stay in use.
 */
function remoteKeys(uri: string, fetchJwks: FetchJwks, now: () => number) {
  let keys: readonly PublicKey[] | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;

  const isDue = (kid: string | undefined) => {
    const age = now() - fetchedAt;
    if (!keys || age >= REFRESH_AFTER_MS) return true;
    const unknown = kid !== undefined && !keys.some(({ jwk }) => jwk.kid === kid);
    return unknown && age >= REFETCH_AFTER_MS;
  };

  return async (kid: string | undefined): Promise<readonly PublicKey[]> => {
    if (!isDue(kid)) return keys ?? [];
    try {
      keys = (await fetchJwks(uri)).keys.map(usable).filter((key) => key !== undefined);
      fetchedAt = now();
    } catch (error) {
      if (!keys) throw error;
      fetchedAt = now();
    }
    return keys;
  };
}

const publicKey = (jwk: PublicJwk): PublicKey => ({
  jwk,
  object: createPublicKey({ key: jwk, format: "jwk" }),
});

function fromPem(pem: string): PublicKey {
  const object = createPublicKey(pem);
  const { kty = "", ...rest } = object.export({ format: "jwk" });
  return { jwk: { ...rest, kty }, object };
}

/** Published key sets may hold kinds of keys that we do not support; those are ignored. */
function usable(jwk: PublicJwk): PublicKey | undefined {
  try {
    return publicKey(jwk);
  } catch {
    return undefined;
  }
}

/** Drops members that are present but undefined, which the schema's type allows. */
function plain(jwk: { kty: string } & Record<string, unknown>): PublicJwk {
  return Object.fromEntries(Object.entries(jwk).filter(([, value]) => value !== undefined)) as PublicJwk;
}
