import { createHmac } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import { isOneOf } from "../same-text.ts";

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * Checks the signature of a body over its original bytes: the signed text has escapes that parsing and writing JSON
 * would change.
 *
 * @param secrets  the app secret, and the previous one while it is being rotated
 * @throws ServiceError UNAUTHORIZED for a wrong signature, INTERNAL_SERVER_ERROR where no secret is configured
 */
export function checkHmac(
  body: Buffer,
  signature: string | undefined,
  secrets: readonly (string | undefined)[],
): void {
  const known = secrets.flatMap((secret) => (secret ? [secret] : []));
  if (known.length === 0) {
    throw new ServiceError("INTERNAL_SERVER_ERROR", "The app secret is not configured");
  }
  const received = SIGNATURE.exec(signature ?? "")?.[1]?.toLowerCase();
  const expected = known.map((secret) => createHmac("sha256", secret).update(body).digest("hex"));
  if (received === undefined || !isOneOf(received, expected)) {
    throw new ServiceError("UNAUTHORIZED", "The signature does not belong to this body");
  }
}
