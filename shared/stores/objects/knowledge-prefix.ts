/** What the keys of the objects of one revision of a content start with: the bytes that it was uploaded with. */
export const knowledgeObjects = (knowledgeId: string, contentId: string, revision: number): string =>
  `knowledge/${knowledgeId}/${contentId}/${revision}/`;

/** Where clients send large files themselves; what nobody adds is gone after a day. */
export const UPLOADS_PREFIX = "uploads/";
