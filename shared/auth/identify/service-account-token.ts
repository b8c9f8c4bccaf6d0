import { createHash, randomBytes } from "node:crypto";

/** Distinguishes a service account's token from a JWT before anything is parsed. */
const PREFIX = "plat_pat_";
const SECRET_BYTES = 32;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHOWN_CHARACTERS = 16;

/** A fresh token: the prefix, and 32 random bytes in base 62. The prefix is ours. */
export function newServiceAccountToken(): string {
  let rest = BigInt(`0x${randomBytes(SECRET_BYTES).toString("hex")}`);
  let digits = "";
  for (; rest > 0n; rest /= 62n) digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  return PREFIX + digits;
}

/** Begins the tokens of apps that users have connected. */
export const APP_TOKEN_PREFIX = "apo_";

export const isAppToken = (token: string): boolean => token.startsWith(APP_TOKEN_PREFIX);

export const isServiceAccountToken = (token: string): boolean => token.startsWith(PREFIX);

/** The form in which a token is stored, in addition to its first characters. */
export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The part of a token that lists show, so that people recognize it. */
export const shownPartOf = (token: string): string => token.slice(0, SHOWN_CHARACTERS);
