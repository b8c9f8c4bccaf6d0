// Generated from the route table by `npm run routes`; do not edit.
export { addContent } from "./add-content.ts";
export { addRemoteContent } from "./add-remote-content.ts";
export { createUploadUrl } from "./create-upload-url.ts";
export { getContent } from "./get-content.ts";
export { getContentStatus } from "./get-content-status.ts";
export { getKnowledgeConfig } from "./get-knowledge-config.ts";
export { listContent } from "./list-content.ts";
export { listKnowledgeSources } from "./list-knowledge-sources.ts";
export { listSourceFiles } from "./list-source-files.ts";
export { refreshContent } from "./refresh-content.ts";
export { removeAllContent } from "./remove-all-content.ts";
export { removeContent } from "./remove-content.ts";
export { searchKnowledge } from "./search-knowledge.ts";
export { updateContent } from "./update-content.ts";
