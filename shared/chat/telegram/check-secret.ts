import { ServiceError } from "../../errors.ts";
import { isOneOf } from "../same-text.ts";

/**
 * Checks the secret token that Telegram sends with every update.
 *
 * @param secrets  the token, and the previous one while it is being rotated
 * @throws ServiceError UNAUTHORIZED for a missing or wrong one, INTERNAL_SERVER_ERROR where none is configured
 */
export function checkSecret(received: string | undefined, secrets: readonly (string | undefined)[]): void {
  if (received === undefined) throw new ServiceError("UNAUTHORIZED", "The secret token is missing");
  if (secrets.every((secret) => !secret)) {
    throw new ServiceError("INTERNAL_SERVER_ERROR", "The webhook secret token is not configured");
  }
  if (!isOneOf(received, secrets)) throw new ServiceError("UNAUTHORIZED", "The secret token is wrong");
}
