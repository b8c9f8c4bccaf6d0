import * as v from "valibot";
import { PaginationInfo } from "../values/page.ts";

/** @source docs/interface/knowledge.md 4.3 */
export const KnowledgeSource = v.object({
  id: v.string(),
  name: v.string(),
  type: v.picklist(["s3", "gcs", "sharepoint", "github", "azureblob"]),
  metadata: v.nullable(v.record(v.string(), v.unknown())),
  prefix: v.nullable(v.string()),
});
export type KnowledgeSource = v.InferOutput<typeof KnowledgeSource>;

export const SourceFiles = v.object({
  source_id: v.string(),
  source_name: v.string(),
  prefix: v.string(),
  folders: v.array(v.object({ prefix: v.string(), name: v.string(), is_empty: v.literal(false) })),
  files: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      size: v.nullable(v.number()),
      last_modified: v.nullable(v.string()),
      content_type: v.nullable(v.string()),
    }),
  ),
  meta: PaginationInfo,
});
export type SourceFiles = v.InferOutput<typeof SourceFiles>;
