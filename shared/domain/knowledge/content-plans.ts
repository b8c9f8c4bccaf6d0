import type {
  ContentInput,
  Generation,
  Metadata,
  SiteInput,
  StoredContent,
} from "../../schemas/knowledge/knowledge-content.ts";

/** The server's own member of a content's metadata. @source docs/interface/knowledge.md 3.5 */
const RESERVED_KEY = "_agno";

/** How long the message of a new task may take before the sweeper sends it again. */
const SETTLING_SECONDS = 60;
/** Most starts of one processing before it fails. */
export const MAX_ATTEMPTS = 5;

/** What an upload sets of a content. */
export type Upload = Pick<
  StoredContent,
  | "id"
  | "knowledge_id"
  | "owner"
  | "name"
  | "description"
  | "type"
  | "size"
  | "metadata"
  | "input"
  | "options"
  | "parent_id"
  | "fetched"
>;

/** A content that did not exist before. @param now epoch seconds */
export const newContent = (upload: Upload, now: number): StoredContent => ({
  ...upload,
  status: "processing",
  status_message: "",
  created_at: now,
  updated_at: now,
  revision: 1,
  attempt: 0,
  metadata_version: 1,
  tagged_version: 0,
  stale: [],
  removed: false,
  due_at: now + SETTLING_SECONDS,
  version: 0,
});

/**
 * The content after another upload. Searches find the old chunks until the new ones are written.
 *
 * @returns undefined if the same bytes are stored already, or are being processed
 */
export function planReupload(seen: StoredContent, upload: Upload, now: number): StoredContent | undefined {
  if (!seen.removed && seen.status !== "failed" && isSame(seen, upload)) return undefined;
  const { fetched, earlier = fetched, draft, ...rest } = seen;
  const isSameAddress =
    upload.input.kind === "url" && seen.input.kind === "url" && upload.input.url === seen.input.url;
  return {
    ...rest,
    ...(isSameAddress && earlier && { earlier: fetched ?? earlier }),
    ...upload,
    input: afterEarlierVisit(seen.input, upload.input),
    status: "processing",
    status_message: "",
    created_at: seen.removed ? now : seen.created_at,
    updated_at: now,
    revision: seen.revision + 1,
    attempt: 0,
    metadata_version: seen.metadata_version + 1,
    stale: [...seen.stale, ...(draft ? [draft] : [])],
    removed: false,
    due_at: now + SETTLING_SECONDS,
  };
}

/** What is behind an address or a source may have changed, so only bytes that were sent can be the same. */
function isSame(seen: StoredContent, { input, options }: Upload): boolean {
  if (JSON.stringify(seen.options) !== JSON.stringify(options)) return false;
  if (input.kind === "held" && seen.input.kind === "held") {
    return input.file.object.sha256 === seen.input.file.object.sha256;
  }
  return seen.status === "processing" && JSON.stringify(input) === JSON.stringify(begunAnew(seen.input));
}

/**
 * The content to be fetched again. Searches find the old chunks until the new ones are written.
 *
 * @returns undefined where it is being fetched, or is removed
 */
export function planRefresh(seen: StoredContent, now: number): StoredContent | undefined {
  if (seen.removed || seen.status === "processing") return undefined;
  const { id, knowledge_id, owner, name, description, type, size, metadata, options, parent_id } = seen;
  const described = { id, knowledge_id, owner, name, description, type, size, metadata, options };
  const upload = {
    ...described,
    input: begunAnew(seen.input),
    ...(parent_id !== undefined && { parent_id }),
  };
  return planReupload(seen, upload, now);
}

/** A folder is listed again, a site is visited again: what they held before may be gone. */
function begunAnew(input: ContentInput): ContentInput {
  if (input.kind === "site") {
    const { kind, url, from, depth, max_pages } = input;
    return { kind, url, from, depth, max_pages };
  }
  if (input.kind !== "folder") return input;
  const { children: _, ...folder } = input;
  return folder;
}

/** A site that was visited before knows the pages of then, of which those that it has no more are removed. */
function afterEarlierVisit(seen: ContentInput, input: ContentInput): ContentInput {
  if (input.kind !== "site" || seen.kind !== "site") return input;
  return { ...input, before: [...new Set([...(seen.before ?? []), ...pageIdsOf(seen)])] };
}

/** The contents of the pages of a site that have been visited. */
export const pageIdsOf = ({ pages = [] }: SiteInput): string[] => pages.flatMap(({ id }) => id ?? []);

/** A removed content: no search finds it any more, and its chunks are to be deleted. */
export function planRemoval(seen: StoredContent, now: number): StoredContent {
  const { live, draft, ...rest } = seen;
  return {
    ...rest,
    removed: true,
    revision: seen.revision + 1,
    attempt: 0,
    updated_at: now,
    stale: [...seen.stale, ...[live, draft].filter(isDefined)],
    due_at: now + SETTLING_SECONDS,
  };
}

const isDefined = (generation: Generation | undefined): generation is Generation => generation !== undefined;

export type Patch = {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: Metadata | undefined;
};

/** A content with other details. Blank texts change nothing; metadata is merged, without the server's own. */
export function planPatch(seen: StoredContent, patch: Patch, now: number): StoredContent {
  const { name, description, metadata } = patch;
  const changed = {
    ...seen,
    ...(name && { name }),
    ...(description && { description }),
    updated_at: Math.max(now, seen.updated_at),
  };
  if (!metadata) return changed;
  return {
    ...changed,
    metadata: { ...seen.metadata, ...withoutReserved(metadata) },
    metadata_version: seen.metadata_version + 1,
    due_at: Math.min(seen.due_at ?? Number.POSITIVE_INFINITY, now + SETTLING_SECONDS),
  };
}

export function withoutReserved(metadata: Metadata): Metadata {
  const { [RESERVED_KEY]: _, ...own } = metadata;
  return own;
}

/** As `tagged_version`: the chunks are to be written again, whatever their tags are. */
export const UNTAGGED = -1;

/** The next task of a content; follows from its record alone. */
export type ContentTask = "clean" | "forget" | "ingest" | "visit" | "gather" | "tag" | "nothing";

/** Tasks that end failed after too many attempts. */
export const isCounted = (task: ContentTask): boolean => task === "ingest" || task === "visit";

/** Old chunks are deleted first, so that none is left when the same bytes are uploaded again. */
export function pendingTaskOf(content: StoredContent): ContentTask {
  if (content.stale.length > 0) return "clean";
  if (content.removed) return "forget";
  if (content.status === "processing") return taskOfInput(content.input);
  if (content.live && content.tagged_version < content.metadata_version) return "tag";
  return "nothing";
}

function taskOfInput(input: ContentInput): ContentTask {
  if (input.kind === "folder") return "gather";
  if (input.kind !== "site") return "ingest";
  return input.pages && (input.next ?? 0) >= input.pages.length ? "gather" : "visit";
}

/** A content that cannot be processed. No search finds it any more. */
export function planFailure(seen: StoredContent, message: string, now: number): StoredContent {
  const { live, draft, ...rest } = seen;
  return {
    ...rest,
    status: "failed",
    status_message: message,
    updated_at: now,
    stale: [...seen.stale, ...[live, draft].filter(isDefined)],
  };
}

/**
 * A content whose chunks are all written: searches find them from now on, and the old ones are to be deleted.
 *
 * @param message  what was left out; empty where nothing was
 */
export function planCompletion(
  seen: StoredContent,
  live: Generation,
  tagged: number,
  now: number,
  message = "",
): StoredContent {
  const { live: before, draft: _, ...rest } = seen;
  return {
    ...rest,
    status: "completed",
    status_message: message,
    updated_at: now,
    live,
    tagged_version: tagged,
    stale: before && before.hash !== live.hash ? [...seen.stale, before] : seen.stale,
  };
}
