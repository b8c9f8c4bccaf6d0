import { createCipheriv, createHash, createHmac } from "node:crypto";

/**
 * The id under which a user's number is hidden: the same number gives the same id, and without the key it is impossible to say
 * whose number it is. There are few numbers, so nothing in it may be computed from the number alone.
 *
 * @param key  64 hexadecimal characters
 */
export const hiddenUserId = (number: string, key: string): string =>
  // The prefix keeps it apart from other uses of the key.
  createHmac("sha256", Buffer.from(key, "hex")).update(`whatsapp-user:${number}`).digest("base64url");

/**
 * The id that conversations have which began under an earlier release: AES-GCM under a nonce computed from the number,
 * by which the number can be searched for. It is computed only to find those conversations.
 *
 * @param key  64 hexadecimal characters
 */
export function earlierUserId(number: string, key: string): string {
  const nonce = createHash("sha256").update(number).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "hex"), nonce);
  const encrypted = Buffer.concat([cipher.update(number, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString("base64url");
}
