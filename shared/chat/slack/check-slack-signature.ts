import { createHmac } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import { isOneOf } from "../same-text.ts";

const SIGNATURE = /^v0=([0-9a-f]{64})$/i;
/** An older request may be one that an attacker has recorded and sends again. */
const MAX_AGE_SECONDS = 300;

export type SlackRequest = {
  readonly body: Buffer;
  readonly signature: string | undefined;
  /** Epoch seconds, as text. */
  readonly timestamp: string | undefined;
};

/**
 * Checks the signature over the timestamp and the original bytes of a body.
 *
 * @param secrets  the signing secret, and the previous one while it is being rotated
 * @param now      epoch seconds
 * @throws ServiceError UNAUTHORIZED for a wrong signature or an old request, INTERNAL_SERVER_ERROR where no secret is
 *         configured
 * @source Slack, "Verifying requests from Slack"
 */
export function checkSlackSignature(
  { body, signature, timestamp }: SlackRequest,
  secrets: readonly (string | undefined)[],
  now: number,
): void {
  const known = secrets.flatMap((secret) => (secret ? [secret] : []));
  if (known.length === 0) {
    throw new ServiceError("INTERNAL_SERVER_ERROR", "The signing secret is not configured");
  }
  if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) {
    throw new ServiceError("UNAUTHORIZED", "The timestamp of the signature is missing");
  }
  const received = SIGNATURE.exec(signature ?? "")?.[1]?.toLowerCase();
  const expected = known.map((secret) =>
    createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex"),
  );
  if (received === undefined || !isOneOf(received, expected)) {
    throw new ServiceError("UNAUTHORIZED", "The signature does not belong to this body");
  }
  if (Math.abs(now - Number(timestamp)) > MAX_AGE_SECONDS) {
    throw new ServiceError("UNAUTHORIZED", "The request was signed more than five minutes ago");
  }
}
