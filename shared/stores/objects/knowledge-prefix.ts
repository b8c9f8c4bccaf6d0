/** Prefix of the objects of one revision of a content: the uploaded bytes. */
export const knowledgeObjects = (knowledgeId: string, contentId: string, revision: number): string =>
  `knowledge/${knowledgeId}/${contentId}/${revision}/`;

/** Where clients upload large files themselves; files that are not added expire after a day. */
export const UPLOADS_PREFIX = "uploads/";
