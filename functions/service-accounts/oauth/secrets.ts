import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { APP_TOKEN_PREFIX } from "../../../shared/auth/identify/service-account-token.ts";

const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** An access token, by whose beginning it is known before anything is looked up. */
export const newAppToken = (): string => `${APP_TOKEN_PREFIX}${newSecret()}`;

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A code, which a client exchanges once. */
export const newCode = (): string => `apc_${newSecret()}`;

/** Whether two digests are equal, in a time that does not say where they differ. */
export function isSame(one: string | undefined, other: string): boolean {
  if (one === undefined || one.length !== other.length) return false;
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** @source RFC 7636, section 4.6 */
export const provesChallenge = (verifier: string, challenge: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) &&
  isSame(createHash("sha256").update(verifier).digest("base64url"), challenge);

const REFRESH = /^apr_(grant-[0-9a-f]{32})_([\w-]{43})$/;

/** A refresh token names its grant. */
export const refreshToken = (grantId: string, secret: string): string => `apr_${grantId}_${secret}`;

export function parsedRefreshToken(
  token: string,
): { readonly grantId: string; readonly secret: string } | undefined {
  const [, grantId, secret] = REFRESH.exec(token) ?? [];
  return grantId !== undefined && secret !== undefined ? { grantId, secret } : undefined;
}

/**
 * The secret that follows another: it takes both the token that was used and what is stored to know it, and whoever repeats a
 * refresh whose answer was lost gets the same one.
 */
export const nextSecret = (secret: string, salt: string): string =>
  createHmac("sha256", salt).update(secret).digest("base64url");
