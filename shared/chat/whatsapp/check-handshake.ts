import { ServiceError } from "../../errors.ts";
import { isOneOf } from "../same-text.ts";

/**
 * Checks that the subscriber knows the verify token.
 *
 * @throws ServiceError UNAUTHORIZED for a wrong mode or token, INTERNAL_SERVER_ERROR where none is configured
 */
export function checkHandshake(rawQuery: string, verifyToken: string | undefined): void {
  if (!verifyToken) throw new ServiceError("INTERNAL_SERVER_ERROR", "The verify token is not configured");
  const query = new URLSearchParams(rawQuery);
  const isRight =
    query.get("hub.mode") === "subscribe" && isOneOf(query.get("hub.verify_token") ?? "", [verifyToken]);
  if (!isRight) throw new ServiceError("UNAUTHORIZED", "The verify token is wrong");
}
