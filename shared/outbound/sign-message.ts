import { createHmac } from "node:crypto";

/**
 * Headers that prove to a receiver who sent a message, and when.
 *
 * @param id    the same for every try of one event, so that a receiver knows a repeated one
 * @param at    epoch seconds of this try
 * @param keys  one signature for each
 * @source Standard Webhooks 1.0, "Webhook headers" and "Signature scheme": HMAC-SHA256 of `id.timestamp.body`
 */
export function signatureHeaders(
  id: string,
  at: number,
  body: string,
  keys: readonly Buffer[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const signed = keys.map(
    (key) => `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`,
  );
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signed.join(" ") };
}
