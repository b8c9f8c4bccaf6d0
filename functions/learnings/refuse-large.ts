import { ServiceError } from "../../shared/errors.ts";
import type { StoredLearning } from "../../shared/stores/owned/learning-item.ts";

/** An item holds 400 KB, keys and names included. */
const MAX_BYTES = 350_000;

/** @throws ServiceError PAYLOAD_TOO_LARGE */
export function refuseLarge({ content, metadata }: Pick<StoredLearning, "content" | "metadata">): void {
  if (Buffer.byteLength(JSON.stringify({ content, metadata })) <= MAX_BYTES) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `content and metadata of a learning are ${MAX_BYTES} bytes of JSON at most`,
  );
}
