import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/base.ts";
import { extensionOf, pickReader } from "../../shared/knowledge/readers/pick-reader.ts";
import { readers } from "../../shared/knowledge/readers/readers.ts";
import { BucketFault, listBucket } from "../../shared/knowledge/sources/s3-source.ts";
import type { Listing } from "../../shared/knowledge/sources/source.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

type Needs = Pick<KnowledgeDeps, "bases">;
type Asked = {
  readonly prefix: string;
  readonly limit: number;
  readonly page: number;
  readonly delimiter: string;
};

/**
 * A page of what a bucket holds. A bucket is read from its beginning, so a far page reads all pages before it.
 *
 * @throws ServiceError NOT_FOUND for an unknown source or a missing bucket, BAD_REQUEST for a source that is no bucket
 * @source contract, knowledge section 6
 */
export const listSourceFiles: Handler<typeof knowledgeRoutes.listSourceFiles, Needs> = async (
  { params, query },
  { bases },
) => {
  const source = selectBase(bases, params).sources.find(({ id }) => id === params.source_id);
  if (!source) throw notFound("source", params.source_id);
  if (source.type !== "s3")
    throw new ServiceError("BAD_REQUEST", `files of a ${source.type} source cannot be listed`);
  const { limit, page, delimiter } = query;
  const startedAt = performance.now();
  const prefix = query.prefix ?? source.prefix ?? "";
  const { listing, before } = await readPage(source.bucket, { prefix, limit, page, delimiter });
  const total_count = before + listing.files.length + listing.folders.length;
  return {
    source_id: source.id,
    source_name: source.name ?? source.id,
    prefix: query.prefix ?? source.prefix ?? "",
    folders: page === 1 ? listing.folders.map((folder) => shownFolder(folder, delimiter)) : [],
    files: listing.files.map(({ key, size, last_modified }) => ({
      key,
      name: key.split("/").at(-1) ?? key,
      size,
      last_modified,
      content_type: mimeTypeOf(key),
    })),
    meta: {
      page,
      limit,
      total_pages: listing.next === undefined ? page : page + 1,
      total_count,
      search_time_ms: Math.round((performance.now() - startedAt) * 100) / 100,
    },
  };
};

async function readPage(
  bucket: string,
  { page, ...asked }: Asked,
): Promise<{ listing: Listing; before: number }> {
  let before = 0;
  let after: string | undefined;
  try {
    for (let at = 1; ; at += 1) {
      const listing: Listing = await listBucket(bucket, { ...asked, after });
      if (at === page) return { listing, before };
      before += listing.files.length + listing.folders.length;
      after = listing.next;
      if (after === undefined) return { listing: { folders: [], files: [], next: undefined }, before };
    }
  } catch (error) {
    if (!(error instanceof BucketFault)) throw error;
    const code = error.kind === "missing" ? "NOT_FOUND" : "INTERNAL_SERVER_ERROR";
    throw new ServiceError(code, error.message, { cause: error });
  }
}

const shownFolder = (prefix: string, delimiter: string) => ({
  prefix,
  name: prefix.split(delimiter).filter(Boolean).at(-1) ?? prefix,
  is_empty: false as const,
});

/** Guessed from the name, as far as a reader knows it. */
function mimeTypeOf(key: string): string | null {
  const extension = extensionOf(key);
  if (
    extension === "" ||
    !Object.values(readers).some(({ types }) => (types as readonly string[]).includes(extension))
  ) {
    return null;
  }
  return pickReader({ filename: key, mime_type: "" }).mimeTypes[0] ?? null;
}
