import { ServiceError } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";

/** @throws ServiceError BAD_REQUEST where webhooks are off: nothing would be sent, and there is no key to sign with */
export function requireWebhooks({ outbox }: Db): void {
  if (!outbox?.webhooks)
    throw new ServiceError(
      "BAD_REQUEST",
      "webhooks are off on this instance; its operator switches them on (webhooks=on)",
    );
}
