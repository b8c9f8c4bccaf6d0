import { constants, verify } from "node:crypto";
import { JwtBaseError } from "aws-jwt-verify/error";
import { fetchJwks, type Jwk } from "aws-jwt-verify/jwk";
import { decomposeUnverifiedJwt } from "aws-jwt-verify/jwt";
import type { JwtPayload } from "aws-jwt-verify/jwt-model";
import { verifyJwtSync } from "aws-jwt-verify/jwt-verifier";
import type { ClaimNames, Issuer } from "../../settings/values/issuers.ts";
import { createKeySource, type FetchJwks, type KeySource, type PublicKey } from "./issuer-keys.ts";

/** The result of a check. `detail` may be read by the caller; `unknown` means that the keys could not be fetched. */
export type Verified =
  | { readonly outcome: "valid"; readonly tokenClaims: JwtPayload; readonly claimNames: ClaimNames }
  | { readonly outcome: "invalid"; readonly detail: string }
  | { readonly outcome: "unknown"; readonly cause: unknown };

export type VerifyToken = (token: string) => Promise<Verified>;

type KnownIssuer = {
  readonly issuer: Issuer;
  readonly keysFor: KeySource;
  /** One of these must be in the token; undefined where the audience is not checked. */
  readonly audience: string | readonly string[] | undefined;
};

const LEEWAY_SECONDS = 10;
/** More than any credential needs, and cheap to refuse. The gateway's own limit is close to it. */
const MAX_TOKEN_CHARACTERS = 8192;

/** Key type of each family of algorithms; a key of another type is not tried. */
const KEY_TYPE: Readonly<Record<string, string>> = { RS: "RSA", PS: "RSA", ES: "EC", Ed: "OKP" };

type Options = {
  /** Audience of issuers that check it without naming one. */
  readonly osId?: string;
  readonly fetchKeys?: FetchJwks;
};

/**
 * Makes the function that checks bearer tokens. `exp`, `nbf` and `iat` are checked when present, with ten seconds
 * of leeway; none of them has to be there. The only file that knows how a signature is verified.
 *
 * @param now  milliseconds since the epoch
 */
export function createVerifyToken(
  issuers: readonly Issuer[],
  now: () => number,
  { osId = "", fetchKeys = fetchJwks }: Options = {},
): VerifyToken {
  const known = issuers.map((issuer) => ({
    issuer,
    keysFor: createKeySource(issuer, fetchKeys, now),
    audience: issuer.audience ?? (issuer.verify_audience ? osId : undefined),
  }));
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

/** The first issuer whose keys verify the token wins. If none does and one was unreachable, the result is `unknown`. */
async function verifyWithAny(
  token: string,
  known: readonly KnownIssuer[],
  nowSeconds: number,
): Promise<Verified> {
  const { header, payload } = decomposed(token);
  refuseCritical(header);
  const candidates = known.filter(
    ({ issuer }) => issuer.issuer === undefined || issuer.issuer === payload.iss,
  );
  let refusal: Error | undefined;
  for (const { issuer, keysFor, audience } of candidates) {
    try {
      const algorithm = checkAlgorithm(header.alg, issuer);
      const keys = await keysFor(header.kid).catch(unreachable);
      const tokenClaims = verifyWithAnyKey(token, keys, algorithm, payload);
      const { claims: claimNames } = issuer;
      checkAudience(tokenClaims[claimNames.audience], audience);
      checkTimes(tokenClaims, nowSeconds);
      return { outcome: "valid", tokenClaims, claimNames };
    } catch (error) {
      if (!(error instanceof TokenRefused || error instanceof KeysUnreachable)) throw error;
      if (!(refusal instanceof KeysUnreachable)) refusal = error;
    }
  }
  throw refusal ?? noKey();
}

function unreachable(cause: unknown): never {
  throw new KeysUnreachable("keys unreachable", { cause });
}

function decomposed(token: string) {
  if (token.length > MAX_TOKEN_CHARACTERS) throw new TokenRefused("Invalid token: it is too long");
  try {
    return decomposeUnverifiedJwt(token);
  } catch (error) {
    if (error instanceof JwtBaseError) throw new TokenRefused(`Invalid token: ${error.message}`);
    throw error;
  }
}

/**
 * A token says in `crit` which members of its header must be understood. None of them is, here.
 *
 * @source RFC 7515 section 4.1.11
 */
function refuseCritical(header: Readonly<Record<string, unknown>>): void {
  if (!Object.hasOwn(header, "crit")) return;
  throw new TokenRefused("Invalid token: it has critical header parameters that are not understood");
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
  payload: JwtPayload,
): JwtPayload {
  const fitting = keys.filter(({ jwk }) => jwk.kty === KEY_TYPE[algorithm.slice(0, 2)]);
  if (isPss(algorithm) && fitting.some((key) => verifyPss(token, algorithm, key))) return payload;
  let refusal: TokenRefused | undefined;
  for (const key of isPss(algorithm) ? [] : fitting) {
    try {
      return verifyWith(token, key);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = new TokenRefused(`Invalid token: ${error.message}`);
    }
  }
  throw refusal ?? noKey();
}

/** Created where it is thrown: a stack trace for every valid token took a tenth of the authorizer's time. */
const noKey = () => new TokenRefused("Invalid token: no key verifies it");

/** A malformed signature (ES*: of a wrong length) fails inside the crypto library. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof JwtBaseError ||
  (error instanceof Error && "code" in error && error.code === "ERR_CRYPTO_OPERATION_FAILED");

/** Checks the signature only: times are checked with the caller's clock, and claims by the issuer's own names. */
function verifyWith(token: string, key: PublicKey): JwtPayload {
  const options = { issuer: null, audience: null, graceSeconds: Number.POSITIVE_INFINITY };
  return verifyJwtSync(token, key.jwk as Jwk, options, () => key.object);
}

function checkAudience(claim: unknown, expected: string | readonly string[] | undefined): void {
  if (expected === undefined) return;
  const named = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  if (![expected].flat().some((audience) => named.has(audience))) {
    throw new TokenRefused("Invalid token audience");
  }
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

const hashOf: Readonly<Record<string, string>> = { PS256: "sha256", PS384: "sha384", PS512: "sha512" };

/** Signatures of the PS family, which the JWT library does not support. */
const isPss = (algorithm: string): boolean => algorithm in hashOf;

/**
 * Whether a token's third part signs its first two, by RSASSA-PSS with a salt as long as the hash.
 *
 * @source RFC 7518 section 3.5
 */
function verifyPss(token: string, algorithm: string, { jwk, object }: PublicKey): boolean {
  const hash = hashOf[algorithm];
  const keyFits = (jwk.alg ?? algorithm) === algorithm && (jwk.use ?? "sig") === "sig";
  if (hash === undefined || !keyFits) return false;
  const end = token.lastIndexOf(".");
  const key = {
    key: object,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return verify(hash, Buffer.from(token.slice(0, end)), key, Buffer.from(token.slice(end + 1), "base64url"));
}
