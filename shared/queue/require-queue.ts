import { ServiceError } from "../errors.ts";

export type QueueSwitch = { readonly QUEUE_ENABLED: "true" | "false" };

/** @throws ServiceError QUEUE_DISABLED where background runs are switched off */
export function requireQueue(settings: QueueSwitch): void {
  if (settings.QUEUE_ENABLED === "true") return;
  throw new ServiceError("QUEUE_DISABLED", "the durable job queue is not enabled on this platform");
}
