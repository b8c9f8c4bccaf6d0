import { ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { jsonBytes } from "./json-bytes.ts";
import { requireShallow } from "./require-shallow.ts";

/** A page of a list has up to a hundred components. */
const MAX_DETAIL_BYTES = 20_000;

/**
 * Refuses a component whose name, description and metadata are too large for a list.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE, and BAD_REQUEST for metadata that is nested too deep
 */
export function requireStorable({ name, description, metadata }: ComponentRecord): void {
  requireShallow("metadata", metadata);
  if (jsonBytes([name, description, metadata]) <= MAX_DETAIL_BYTES) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `name, description and metadata of a component may hold ${MAX_DETAIL_BYTES} bytes together`,
  );
}
