import { JwtBaseError, JwtInvalidAudienceError } from "aws-jwt-verify/error";
import { fetchJwks, type Jwk } from "aws-jwt-verify/jwk";
import { decomposeUnverifiedJwt } from "aws-jwt-verify/jwt";
import type { JwtPayload } from "aws-jwt-verify/jwt-model";
import { verifyJwtSync } from "aws-jwt-verify/jwt-verifier";
import { createKeySource, type FetchJwks, type KeySource, type PublicKey } from "./issuer-keys.ts";
import type { Issuer } from "./issuers.ts";

/** What is known of a token. `detail` may be read by the caller; `unknown` says that the keys could not be had. */
export type Verified =
  | { readonly outcome: "valid"; readonly tokenClaims: JwtPayload }
  | { readonly outcome: "invalid"; readonly detail: string }
  | { readonly outcome: "unknown"; readonly cause: unknown };

export type VerifyToken = (token: string) => Promise<Verified>;

type KnownIssuer = { readonly issuer: Issuer; readonly keysFor: KeySource };

const LEEWAY_SECONDS = 10;

/** Key type that each family of algorithms needs; a key of another type is not even tried. */
const KEY_TYPE: Readonly<Record<string, string>> = { RS: "RSA", ES: "EC", Ed: "OKP" };

/**
 * Makes the function that checks bearer tokens. `exp`, `nbf` and `iat` are checked when present, with ten seconds
 * of leeway; none of them has to be there. The only file that knows how a signature is verified.
 *
 * @param now  milliseconds since the epoch
 * @source contract, auth sections 3 and 9
 */
export function createVerifyToken(
  issuers: readonly Issuer[],
  now: () => number,
  fetchKeys: FetchJwks = fetchJwks,
): VerifyToken {
  const known = issuers.map((issuer) => ({ issuer, keysFor: createKeySource(issuer, fetchKeys, now) }));
  return async (token) => {
    try {
      return await verifyWithAny(token, known, now() / 1000);
    } catch (error) {
      return outcomeOf(error);
    }
  };
}

/** These two travel only inside this file. The message of a refusal is public. */
class TokenRefused extends Error {}
class KeysUnreachable extends Error {}

function outcomeOf(error: unknown): Verified {
  if (error instanceof TokenRefused) return { outcome: "invalid", detail: error.message };
  if (error instanceof KeysUnreachable) return { outcome: "unknown", cause: error.cause };
  throw error;
}

/** The first issuer whose keys verify it wins. One that cannot be asked leaves the answer open, if no other can. */
async function verifyWithAny(
  token: string,
  known: readonly KnownIssuer[],
  nowSeconds: number,
): Promise<Verified> {
  const { header, payload } = decomposed(token);
  const asked = known.filter(({ issuer }) => issuer.issuer === undefined || issuer.issuer === payload.iss);
  let refusal: Error = new TokenRefused("Invalid token: no key verifies it");
  for (const { issuer, keysFor } of asked) {
    try {
      const algorithm = checkAlgorithm(header.alg, issuer);
      const keys = await keysFor(header.kid).catch(unreachable);
      const tokenClaims = verifyWithAnyKey(token, keys, algorithm, issuer);
      checkTimes(tokenClaims, nowSeconds);
      return { outcome: "valid", tokenClaims };
    } catch (error) {
      if (!(error instanceof TokenRefused || error instanceof KeysUnreachable)) throw error;
      if (!(refusal instanceof KeysUnreachable)) refusal = error;
    }
  }
  throw refusal;
}

function unreachable(cause: unknown): never {
  throw new KeysUnreachable("keys unreachable", { cause });
}

function decomposed(token: string) {
  try {
    return decomposeUnverifiedJwt(token);
  } catch (error) {
    if (error instanceof JwtBaseError) throw new TokenRefused(`Invalid token: ${error.message}`);
    throw error;
  }
}

function checkAlgorithm(algorithm: string | undefined, issuer: Issuer): string {
  const allowed: readonly string[] = issuer.algorithms;
  if (algorithm !== undefined && allowed.includes(algorithm)) return algorithm;
  throw new TokenRefused("Invalid token: its signature algorithm is not accepted");
}

function verifyWithAnyKey(
  token: string,
  keys: readonly PublicKey[],
  algorithm: string,
  issuer: Issuer,
): JwtPayload {
  const fitting = keys.filter(({ jwk }) => jwk.kty === KEY_TYPE[algorithm.slice(0, 2)]);
  let refusal = new TokenRefused("Invalid token: no key verifies it");
  for (const key of fitting) {
    try {
      return verifyWith(token, key, issuer);
    } catch (error) {
      // A claim is looked at only after the signature held, so no other key can do better.
      if (error instanceof JwtInvalidAudienceError) throw new TokenRefused("Invalid token audience");
      if (!(error instanceof JwtBaseError)) throw error;
      refusal = new TokenRefused(`Invalid token: ${error.message}`);
    }
  }
  throw refusal;
}

/** Times are left to `checkTimes`, which reads the caller's clock; the library only knows the system's. */
function verifyWith(token: string, key: PublicKey, { audience }: Issuer): JwtPayload {
  const options = { issuer: null, audience: audience ?? null, graceSeconds: Number.POSITIVE_INFINITY };
  return verifyJwtSync(token, key.jwk as Jwk, options, () => key.object);
}

/** @param nowSeconds  epoch seconds */
function checkTimes({ exp, nbf, iat }: JwtPayload, nowSeconds: number): void {
  if (exp !== undefined && exp + LEEWAY_SECONDS < nowSeconds) throw new TokenRefused("Token has expired");
  if (nbf !== undefined && nbf - LEEWAY_SECONDS > nowSeconds) {
    throw new TokenRefused("Invalid token: it is not valid yet");
  }
  if (iat !== undefined && iat - LEEWAY_SECONDS > nowSeconds) {
    throw new TokenRefused("Invalid token: it was issued in the future");
  }
}
