import { createCipheriv, createHash } from "node:crypto";

/**
 * Encrypts a number to an id: the same number gives the same id, and only the key can decrypt it.
 *
 * @param key  64 hexadecimal characters
 * @source contract, chat-webhooks section 4, "encrypted `user_id`"
 */
export function encryptUserId(number: string, key: string): string {
  const nonce = createHash("sha256").update(number).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "hex"), nonce);
  const encrypted = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString("base64url");
}
