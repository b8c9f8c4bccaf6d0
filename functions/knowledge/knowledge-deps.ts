import type { KnowledgeBase } from "../../shared/knowledge/configured.ts";
import type { ProcessingDeps } from "../../shared/knowledge/intake.ts";
import type { VectorStoreName } from "../../shared/settings/values/knowledge-bases.ts";
import type { UploadUrls } from "../../shared/stores/objects/upload-urls.ts";

export type KnowledgeDeps = ProcessingDeps & {
  readonly bases: readonly KnowledgeBase[];
  readonly uploads: UploadUrls;
  readonly vectorStore: VectorStoreName;
  readonly newId: () => string;
};
