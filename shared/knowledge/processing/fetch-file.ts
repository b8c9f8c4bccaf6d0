import type { ContentInput, StoredContent, StoredFile } from "../../schemas/knowledge/knowledge-content.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import { copiedObject, putObject } from "../../stores/objects/object-bytes.ts";
import { knowledgeObjects } from "../../stores/objects/spill.ts";
import { ContentFault } from "../content-fault.ts";
import { type Fetched, guardedFetch, parsedUrl } from "../fetch/guarded-fetch.ts";
import { extensionOf } from "../readers/pick-reader.ts";
import type { RemoteFile } from "../sources/source.ts";
import { type LeasedDeps, whileLeased, writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { duringStep } from "./step-failed.ts";

export type WithFile = { readonly content: StoredContent; readonly file: StoredFile };

/**
 * The file of a content. A remote file is fetched once and saved, so that the next worker reads the same bytes and makes
 * the same chunks.
 *
 * @throws ContentFault, StepFailed, LeaseLost, Superseded
 */
export async function fetchFile(deps: LeasedDeps, content: StoredContent): Promise<WithFile> {
  const { input, fetched } = content;
  if (input.kind === "held") return { content, file: input.file };
  if (fetched) return { content, file: fetched };
  const prefix = knowledgeObjects(content.knowledge_id, content.id, content.revision);
  if (input.kind === "upload") {
    const copying = duringStep("keeping it", () => copiedObject(deps.db, input.key, `${prefix}upload`));
    const object = await whileLeased(deps, copying);
    if (!object) throw new ContentFault("The uploaded file is gone.");
    return saved(deps, content, { object, filename: input.filename, mime_type: input.mime_type });
  }
  if (input.kind === "url") return fetchPage(deps, content, input.url);
  const found = await duringStep("fetching it", () => fetchInput(deps, input));
  const object = await duringStep("keeping it", () => putObject(deps.db, prefix, found.bytes));
  return saved(deps, content, { object, filename: found.filename, mime_type: found.mime_type });
}

async function saved(deps: LeasedDeps, content: StoredContent, file: StoredFile): Promise<WithFile> {
  const size = file.object.bytes;
  return { file, content: await writeLeased(deps, content, (seen) => ({ ...seen, fetched: file, size })) };
}

async function fetchInput(
  deps: ProcessingDeps,
  input: Exclude<ContentInput, { kind: "held" | "upload" | "url" }>,
): Promise<RemoteFile> {
  switch (input.kind) {
    case "remote": {
      const source = deps.sourceOf(input.source_id);
      if (!source) throw new ContentFault(`There is no source ${input.source_id} any more.`);
      return deps.openSource(source, input.repo).read(input.key);
    }
    case "folder":
    case "site":
      throw new ContentFault("A folder is no file.");
  }
}

/** Fetches an address, unless its server says that it has nothing newer than what was fetched before. */
async function fetchPage(deps: LeasedDeps, content: StoredContent, url: string): Promise<WithFile> {
  const { knowledge_id, id, revision, earlier } = content;
  const { allowedHosts } = deps;
  const fetched = await duringStep("fetching it", () =>
    guardedFetch(url, { allowedHosts, headers: conditionsOf(earlier) }),
  );
  if (fetched.unchanged && earlier) return saved(deps, content, earlier);
  const prefix = knowledgeObjects(knowledge_id, id, revision);
  const object = await duringStep("keeping it", () => putObject(deps.db, prefix, fetched.bytes));
  return saved(deps, content, fetchedFile(object, url, fetched));
}

/** Headers that ask for an address only if it has changed. @source RFC 9110, section 13.1 */
export const conditionsOf = (earlier: StoredFile | undefined): Readonly<Record<string, string>> => ({
  ...(earlier?.etag !== undefined && { "if-none-match": earlier.etag }),
  ...(earlier?.last_modified !== undefined && { "if-modified-since": earlier.last_modified }),
});

/** An address without an extension is a web page. */
export function fetchedFile(
  object: ObjectPointer,
  url: string,
  { mime_type, etag, last_modified }: Fetched,
): StoredFile {
  const filename = decodeURIComponentSafely(parsedUrl(url).pathname.split("/").at(-1) ?? "");
  const type = extensionOf(filename) === "" && mime_type === "" ? "text/html" : mime_type;
  return {
    object,
    filename,
    mime_type: type,
    ...(etag !== undefined && { etag }),
    ...(last_modified !== undefined && { last_modified }),
  };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
