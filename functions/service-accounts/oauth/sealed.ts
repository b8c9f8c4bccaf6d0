import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The key follows from what the app alone has: of that only a digest is stored. */
const keyOf = (secret: string, grantId: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, grantId, "refresh token of the issuer", 32));

/**
 * Encrypts the issuer's refresh token so that it takes the app's secret to read it: its code, later its refresh token.
 *
 * @source docs/interface/oauth.md 1.10; NIST SP 800-38D (AES-GCM); RFC 5869 (HKDF)
 */
export function seal(text: string, secret: string, grantId: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, grantId), iv);
  const sealed = [iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString("base64url");
}

/** @throws Error where it was sealed for another secret or grant, or has changed */
export function unseal(sealed: string, secret: string, grantId: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, grantId), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}
