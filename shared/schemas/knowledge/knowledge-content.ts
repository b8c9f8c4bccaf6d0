import * as v from "valibot";
import { nullFor } from "../values/described-as.ts";
import { ObjectPointer } from "../values/object-pointer.ts";

const contentStatuses = ["processing", "completed", "failed"] as const;
export const ContentStatus = v.picklist(contentStatuses);
export type ContentStatus = v.InferOutput<typeof ContentStatus>;

export const Metadata = v.record(v.string(), v.unknown());
export type Metadata = v.InferOutput<typeof Metadata>;

/** One document of a knowledge base, as the wire shows it. @source docs/interface/knowledge.md 2.2 */
export const Content = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  description: v.nullable(v.string()),
  type: v.nullable(v.string()),
  /** Bytes, as decimal text. */
  size: v.nullable(v.string()),
  linked_to: nullFor({ type: "string" }),
  metadata: v.nullable(Metadata),
  access_count: nullFor({ type: "integer" }),
  status: ContentStatus,
  status_message: v.nullable(v.string()),
  /** RFC 3339 in UTC. */
  created_at: v.nullable(v.string()),
  updated_at: v.nullable(v.string()),
});
export type Content = v.InferOutput<typeof Content>;

export const ContentStatusBody = v.object({
  id: v.nullable(v.string()),
  status: ContentStatus,
  status_message: v.string(),
});

/** Stored bytes of a content, with the name and media type of the upload or the source. */
export const StoredFile = v.object({
  object: ObjectPointer,
  filename: v.string(),
  mime_type: v.string(),
  /** What the server said of the version that was fetched, by which it decides whether there is a newer one. */
  etag: v.optional(v.string()),
  last_modified: v.optional(v.string()),
});
export type StoredFile = v.InferOutput<typeof StoredFile>;

/** A page of a site. @param id of its content; absent as long as it is not visited, and for what turned out to be none */
const SitePage = v.object({ url: v.string(), depth: v.number(), id: v.optional(v.string()) });
export type SitePage = v.InferOutput<typeof SitePage>;

/** Each page of a site becomes a content of its own; the site is completed when they are. */
const SiteInput = v.object({
  kind: v.literal("site"),
  /** Of the site map, or of the page whose links are followed. */
  url: v.string(),
  from: v.picklist(["sitemap", "links"]),
  /** How many links away from the first page others may be. */
  depth: v.number(),
  max_pages: v.number(),
  /** Absent until the visit has begun; those from `next` on have not been visited. */
  pages: v.optional(v.array(SitePage)),
  next: v.optional(v.number()),
  /** Whether there were more pages than were taken. */
  more: v.optional(v.boolean()),
  /** Contents of the visit before, of which those that the site has no more are removed. */
  before: v.optional(v.array(v.string())),
});
export type SiteInput = v.InferOutput<typeof SiteInput>;

/** Where the bytes of a content are, or come from. */
export const ContentInput = v.variant("kind", [
  v.object({ kind: v.literal("held"), file: StoredFile }),
  /** Sent to the bucket by the client itself. */
  v.object({ kind: v.literal("upload"), key: v.string(), filename: v.string(), mime_type: v.string() }),
  v.object({ kind: v.literal("url"), url: v.string() }),
  v.object({
    kind: v.literal("remote"),
    source_id: v.string(),
    key: v.string(),
    repo: v.optional(v.string()),
  }),
  /** Each object under a prefix becomes a content of its own; this one is completed when they are. */
  v.object({
    kind: v.literal("folder"),
    source_id: v.string(),
    prefix: v.string(),
    repo: v.optional(v.string()),
    children: v.optional(v.array(v.string())),
  }),
  SiteInput,
]);
export type ContentInput = v.InferOutput<typeof ContentInput>;

/** How bytes are split into chunks, as far as the upload specified it. */
export const ReadingOptions = v.object({
  reader_id: v.optional(v.string()),
  chunker: v.optional(v.string()),
  chunk_size: v.optional(v.number()),
  chunk_overlap: v.optional(v.number()),
});
export type ReadingOptions = v.InferOutput<typeof ReadingOptions>;

/**
 * The chunks of one processing of a content. Their keys follow from the record: content id, hash, position; so they can
 * be rewritten and removed with nothing but the record.
 */
export const Generation = v.object({
  /** Index of the vector store. */
  index: v.string(),
  /** Of the bytes and of all options of the chunking. */
  hash: v.string(),
  chunks: v.number(),
  /** How many are certainly written. */
  written: v.number(),
  /** Version of the words under which searches find them; absent for chunks from before there was such an index. */
  words: v.optional(v.number()),
});
export type Generation = v.InferOutput<typeof Generation>;

/** A content as it is stored: what the wire shows, its pending work, and its chunks. */
export const StoredContent = v.object({
  id: v.string(),
  knowledge_id: v.string(),
  /** Null for a shared one: everybody who may read the base sees it. */
  owner: v.nullable(v.string()),
  name: v.string(),
  description: v.string(),
  type: v.nullable(v.string()),
  /** Bytes. */
  size: v.number(),
  metadata: v.nullable(Metadata),
  status: ContentStatus,
  status_message: v.string(),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
  input: ContentInput,
  /** Bytes that were fetched for an input that is not a stored file. */
  fetched: v.optional(StoredFile),
  /** What was fetched from the same address before: it is used again where the server has nothing newer. */
  earlier: v.optional(StoredFile),
  options: ReadingOptions,
  parent_id: v.optional(v.string()),
  /** Rises with every upload and with the removal: work on an earlier one is discarded. */
  revision: v.number(),
  /** Starts of the processing of this revision. */
  attempt: v.number(),
  /** Rises with every change of the metadata; `tagged_version` is that of the chunks' tags. */
  metadata_version: v.number(),
  tagged_version: v.number(),
  /** The chunks that searches find, those being written, and those to be removed. */
  live: v.optional(Generation),
  draft: v.optional(Generation),
  stale: v.array(Generation),
  removed: v.boolean(),
  /** The worker's lease, and when it expires; epoch seconds. */
  lease_token: v.optional(v.string()),
  lease_until: v.optional(v.number()),
  /** When the sweeper wakes it, epoch seconds; absent without pending work. */
  due_at: v.optional(v.number()),
  /** Rises with every write. */
  version: v.number(),
});
export type StoredContent = v.InferOutput<typeof StoredContent>;
