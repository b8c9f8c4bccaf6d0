import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import { ContentFault } from "../../shared/knowledge/index.ts";
import {
  type Listing,
  nameOfKey,
  RetryableResponse,
  SourceFault,
  type SourceQuery,
  type SourceReader,
} from "../../shared/knowledge/intake.ts";
import { readerByName, readers } from "../../shared/knowledge/reading.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

type Needs = Pick<KnowledgeDeps, "bases" | "openSource">;

/**
 * A page of what a source holds. A source is read from its beginning, so a far page reads all pages before it.
 *
 * @throws ServiceError NOT_FOUND for a source that is unknown or not there, BAD_REQUEST for one that cannot be listed
 *         like this, UNAVAILABLE where it may be available later
 * @source docs/interface/knowledge.md 4.4
 */
export const listSourceFiles: Handler<typeof knowledgeRoutes.listSourceFiles, Needs> = async (
  { params, query },
  { bases, openSource },
) => {
  const source = selectBase(bases, params).sources.find(({ id }) => id === params.source_id);
  if (!source) throw notFound("source", params.source_id);
  const { limit, page, delimiter } = query;
  const startedAt = performance.now();
  const prefix = query.prefix || (source.prefix ?? "");
  const read = () => readPage(openSource(source, undefined), { prefix, limit, delimiter }, page);
  const { listing, before } = await withServiceErrors(read);
  return {
    source_id: source.id,
    source_name: source.name ?? source.id,
    prefix: query.prefix ?? "",
    folders: listing.folders.map((folder) => shownFolder(folder, delimiter)),
    files: listing.files.map(({ key, size, last_modified }) => ({
      key,
      name: nameOfKey(key),
      size,
      last_modified,
      content_type: mimeTypeOf(key),
    })),
    meta: {
      page,
      limit,
      total_pages: listing.more ? page + 1 : page,
      total_count: before + listing.files.length + listing.folders.length,
      search_time_ms: Math.round((performance.now() - startedAt) * 100) / 100,
    },
  };
};

type Read = { readonly listing: Listing; readonly before: number };

async function readPage({ pages }: SourceReader, query: SourceQuery, page: number): Promise<Read> {
  let before = 0;
  let at = 1;
  for await (const listing of pages(query)) {
    if (at === page) return { listing, before };
    at += 1;
    before += listing.files.length + listing.folders.length;
  }
  return { listing: { folders: [], files: [], more: false }, before };
}

const codes = {
  missing: "NOT_FOUND",
  // 401 would make the caller log in again.
  refused: "INTERNAL_SERVER_ERROR",
  unsupported: "BAD_REQUEST",
} as const;

async function withServiceErrors(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SourceFault)
      throw new ServiceError(codes[error.kind], error.message, { cause: error });
    if (error instanceof ContentFault) {
      throw new ServiceError("INTERNAL_SERVER_ERROR", error.message, { cause: error });
    }
    if (!(error instanceof RetryableResponse)) throw error;
    const { retryAfterSeconds } = error;
    const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
    throw new ServiceError("UNAVAILABLE", "the source does not answer just now", { cause: error, headers });
  }
}

const shownFolder = (prefix: string, delimiter: string) => ({
  prefix,
  name: prefix.split(delimiter).filter(Boolean).at(-1) ?? prefix,
  is_empty: false as const,
});

/** Guessed from the name, as far as a reader knows it. */
function mimeTypeOf(key: string): string | null {
  const reader = readerByName(key, "");
  return reader === undefined ? null : (readers[reader].mimeTypes[0] ?? null);
}
