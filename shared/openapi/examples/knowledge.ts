import type { knowledgeRoutes } from "../../routes/knowledge.ts";
import type { Content } from "../../schemas/knowledge/knowledge-content.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const content: Content = {
  id: pathExamples.content_id,
  name: "returns.txt",
  description: "How goods are taken back",
  type: "text/plain",
  size: "1843",
  linked_to: null,
  metadata: { language: "en" },
  access_count: null,
  status: "completed",
  status_message: "",
  created_at: "2026-03-04T09:15:00Z",
  updated_at: "2026-03-04T09:15:02Z",
};
const processing: Content = { ...content, status: "processing", updated_at: content.created_at };
const source = {
  id: "manuals",
  name: "Manuals",
  type: "s3" as const,
  metadata: null,
  prefix: "manuals/",
};

export const knowledgeExamples: ExamplesOf<typeof knowledgeRoutes> = {
  addContent: {
    body: {
      text_content: "Goods are taken back within 30 days.",
      name: "returns.txt",
      metadata: '{"language":"en"}',
    },
    answer: processing,
  },
  addRemoteContent: { body: { config_id: "manuals", path: "manuals/returns.pdf" }, answer: processing },
  createUploadUrl: {
    body: { filename: "manual.pdf", mime_type: "application/pdf", size: 20971520 },
    answer: {
      upload_id: "0191f3a2-1a2b-7c3d-8e4f-5a6b7c8d9e0f",
      method: "PUT",
      url: "https://objects.example.com/uploads/0191f3a2?signature=…",
      headers: { "content-type": "application/pdf" },
      expires_at: 1772619300,
    },
  },
  listContent: { query: { knowledge_id: "handbook", limit: 20 }, answer: pageWith(content) },
  getContent: { answer: content },
  refreshContent: { answer: { ...content, status: "processing" } },
  getContentStatus: { answer: { id: content.id, status: "completed", status_message: "" } },
  updateContent: {
    body: { description: "How goods are taken back", metadata: '{"language":"en"}' },
    answer: content,
  },
  removeContent: { answer: { id: content.id } },
  removeAllContent: { answer: "success" },
  getKnowledgeConfig: {
    answer: {
      readers: {
        text: { id: "text", name: "Text", description: "Reads plain text.", chunkers: ["Fixed"] },
      },
      readersForType: { ".txt": ["text"] },
      chunkers: {
        Fixed: {
          key: "Fixed",
          name: "Fixed size",
          description: "Cuts after so many characters.",
          metadata: { chunk_size: 5000, chunk_overlap: 0 },
        },
      },
      filters: ["language"],
      vector_dbs: [{ id: "vectors", name: "Vectors", description: "S3 Vectors", search_types: ["vector"] }],
      embedder: { id: "scripted", provider: "scripted", description: "Counts words." },
      remote_content_sources: [source],
    },
  },
  listKnowledgeSources: { answer: [source] },
  listSourceFiles: {
    query: { prefix: "manuals/" },
    answer: {
      source_id: "manuals",
      source_name: "Manuals",
      prefix: "manuals/",
      folders: [{ prefix: "manuals/2025/", name: "2025", is_empty: false }],
      files: [
        {
          key: "manuals/returns.pdf",
          name: "returns.pdf",
          size: 84213,
          last_modified: "2026-02-01T12:00:00Z",
          content_type: "application/pdf",
        },
      ],
      meta: { page: 1, limit: 100, total_pages: 1, total_count: 1, search_time_ms: 4.2 },
    },
  },
  searchKnowledge: {
    body: { query: "How long may goods be sent back?", max_results: 3, filters: { language: "en" } },
    answer: pageWith({
      id: "chunk-1",
      content: "Goods are taken back within 30 days.",
      name: "returns.txt",
      meta_data: { language: "en" },
      usage: null,
      reranking_score: 0.83,
      content_id: content.id,
      content_origin: null,
      size: 36,
    }),
  },
};
