import * as v from "valibot";
import { KnowledgeConfig } from "../schemas/knowledge/knowledge-config.ts";
import { Content, ContentStatusBody } from "../schemas/knowledge/knowledge-content.ts";
import {
  ContentForm,
  ContentPatchForm,
  RemoteContentForm,
  UploadUrl,
  UploadUrlBody,
} from "../schemas/knowledge/knowledge-forms.ts";
import { SearchBody, SearchResult } from "../schemas/knowledge/knowledge-search.ts";
import { KnowledgeSource, SourceFiles } from "../schemas/knowledge/knowledge-source.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { sorting } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const ContentParams = v.object({ content_id: idOf("the content") });
const database = meaning(v.optional(v.string()), "The database of the base; it need not be named");
const selector = {
  knowledge_id: meaning(v.optional(v.string()), "The base; needed where there are several"),
  db_id: database,
};
const BaseQuery = v.object(selector);

/** @source docs/interface/knowledge.md 2.1 */
export const knowledgeRoutes = {
  addContent: {
    method: "POST",
    path: "/knowledge/content",
    scopes: ["knowledge:write"],
    query: BaseQuery,
    body: { form: ContentForm },
    status: 202,
    response: Content,
    example: {
      body: {
        text_content: "Goods are taken back within 30 days.",
        name: "returns.txt",
        metadata: '{"language":"en"}',
      },
    },
    summary: "Add a file, a text, an address or a finished upload; it is processed in the background",
  },
  addRemoteContent: {
    method: "POST",
    path: "/knowledge/remote-content",
    scopes: ["knowledge:write"],
    query: BaseQuery,
    body: { form: RemoteContentForm },
    status: 202,
    response: Content,
    example: { body: { config_id: "manuals", path: "manuals/returns.pdf" } },
    summary: "Add an object or a folder of a configured source",
  },
  createUploadUrl: {
    method: "POST",
    path: "/knowledge/content/upload-url",
    scopes: ["knowledge:write"],
    query: BaseQuery,
    body: { json: UploadUrlBody },
    status: 201,
    response: UploadUrl,
    example: { body: { filename: "manual.pdf", mime_type: "application/pdf", size: 20971520 } },
    summary: "Get an address that a large file can be sent to",
    description:
      "Send the file there, then add it with upload_id. An upload that is not added is gone after a day.",
  },
  listContent: {
    method: "GET",
    path: "/knowledge/content",
    scopes: ["knowledge:read"],
    query: v.object({
      ...selector,
      ...pageQuery(1000, { firstPage: 0 }),
      ...sorting("created_at"),
    }),
    response: pageOf(Content),
    example: { query: { limit: 20 } },
    summary: "List the contents of a base, the newest first",
  },
  getContent: {
    method: "GET",
    path: "/knowledge/content/{content_id}",
    scopes: ["knowledge:read"],
    params: ContentParams,
    query: BaseQuery,
    response: Content,
    summary: "Show one content",
  },
  getContentStatus: {
    method: "GET",
    path: "/knowledge/content/{content_id}/status",
    scopes: ["knowledge:read"],
    params: ContentParams,
    query: BaseQuery,
    response: ContentStatusBody,
    summary: "Read the processing status of a content",
  },
  refreshContent: {
    method: "POST",
    path: "/knowledge/content/{content_id}/refresh",
    scopes: ["knowledge:write"],
    params: ContentParams,
    query: BaseQuery,
    status: 202,
    response: Content,
    refuses: [400],
    summary: "Fetch a content again from its address or its source",
    description: "Searches find what it held before until it is processed.",
  },
  updateContent: {
    method: "PATCH",
    path: "/knowledge/content/{content_id}",
    scopes: ["knowledge:write"],
    params: ContentParams,
    query: BaseQuery,
    body: { form: ContentPatchForm },
    response: Content,
    example: { body: { description: "How goods are taken back", metadata: '{"language":"en"}' } },
    summary: "Change name, description or metadata; metadata is merged",
  },
  removeContent: {
    method: "DELETE",
    path: "/knowledge/content/{content_id}",
    scopes: ["knowledge:delete"],
    params: ContentParams,
    query: BaseQuery,
    response: v.object({ id: v.string() }),
    summary: "Delete one content with its chunks",
  },
  removeAllContent: {
    method: "DELETE",
    path: "/knowledge/content",
    scopes: ["knowledge:delete"],
    query: BaseQuery,
    response: v.literal("success"),
    summary: "Delete every content of a base that the caller owns, or all of them for an admin",
  },
  getKnowledgeConfig: {
    method: "GET",
    path: "/knowledge/config",
    scopes: ["knowledge:read"],
    query: BaseQuery,
    response: KnowledgeConfig,
    summary: "Describe readers, chunkers, filters, the vector store and the sources of a base",
  },
  listKnowledgeSources: {
    method: "GET",
    path: "/knowledge/{knowledge_id}/sources",
    scopes: ["knowledge:read"],
    params: v.object({ knowledge_id: idOf("the base") }),
    query: v.object({ db_id: database }),
    response: v.array(KnowledgeSource),
    summary: "List the sources of a base",
  },
  listSourceFiles: {
    method: "GET",
    path: "/knowledge/{knowledge_id}/sources/{source_id}/files",
    scopes: ["knowledge:read"],
    params: v.object({ knowledge_id: idOf("the base"), source_id: idOf("the source") }),
    query: v.object({
      prefix: meaning(v.optional(v.string()), "Only what begins with this"),
      ...pageQuery(1000, { limit: "100" }),
      delimiter: meaning(v.optional(v.string(), "/"), "What separates folders in the names of files"),
      db_id: database,
    }),
    response: SourceFiles,
    refuses: [503],
    example: { query: { prefix: "manuals/" } },
    summary: "List files and folders of a source",
  },
  searchKnowledge: {
    method: "POST",
    path: "/knowledge/search",
    scopes: ["knowledge:read"],
    body: { json: SearchBody },
    response: pageOf(SearchResult),
    refuses: [400, 404, 503],
    example: {
      body: { query: "How long may goods be sent back?", max_results: 3, filters: { language: "en" } },
    },
    summary: "Search a base",
  },
} as const satisfies RouteTable;
