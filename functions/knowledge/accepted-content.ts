import type { Content, StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";

/** The answer to an upload: its description, and nothing that is only known later. */
export const acceptedContent = ({ id, name, description, metadata }: StoredContent): Content => ({
  id,
  name,
  description,
  type: null,
  size: null,
  linked_to: null,
  metadata,
  access_count: null,
  status: "processing",
  status_message: null,
  created_at: null,
  updated_at: null,
});
