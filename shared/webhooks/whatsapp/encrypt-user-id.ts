import { createCipheriv, createHash } from "node:crypto";

/**
 * An id that stands for a number: the same for the same number, and without the key no way back.
 *
 * @param key  64 hexadecimal characters
 * @source contract, chat-webhooks section 4, "encrypted `user_id`"
 */
export function encryptUserId(number: string, key: string): string {
  const nonce = createHash("sha256").update(number).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "hex"), nonce);
  const hidden = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString("base64url");
}
