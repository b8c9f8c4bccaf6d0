import { createHash } from "node:crypto";
import { v5 } from "uuid";
import type { Metadata } from "../schemas/knowledge/knowledge-content.ts";
import { canonicalJson } from "../schemas/values/json-values.ts";

export type ContentIdentity = {
  readonly knowledge_id: string;
  readonly owner: string | null;
  /** As sent; undefined where the name was generated. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly metadata: Metadata | undefined;
  /** Its name at its origin: a path, an address, a file name; else its text. */
  readonly origin: string;
};

/**
 * The id of an upload. The same document has the same id, also when its bytes have changed: then its chunks are
 * replaced. Uploads of different owners have different ids.
 *
 * @source docs/interface/knowledge.md 3.4
 */
export function contentIdOf({
  knowledge_id,
  owner,
  name,
  description,
  metadata,
  origin,
}: ContentIdentity): string {
  const parts = [
    knowledge_id,
    name ?? "",
    description ?? "",
    metadata ? canonicalJson(metadata) : "",
    origin,
  ];
  const owned = owner === null ? parts : [...parts, createHash("sha256").update(owner).digest("hex")];
  const digest = createHash("sha256").update(JSON.stringify(owned)).digest("hex");
  return v5(digest, v5.DNS);
}
