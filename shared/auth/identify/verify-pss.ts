import { constants, verify } from "node:crypto";
import type { PublicKey } from "./issuer-keys.ts";

const hashOf: Readonly<Record<string, string>> = { PS256: "sha256", PS384: "sha384", PS512: "sha512" };

/** Signatures of the PS family, which the JWT library does not support. */
export const isPss = (algorithm: string): boolean => algorithm in hashOf;

/**
 * Whether a token's third part signs its first two, by RSASSA-PSS with a salt as long as the hash.
 *
 * @source RFC 7518 section 3.5
 */
export function verifyPss(token: string, algorithm: string, { jwk, object }: PublicKey): boolean {
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
