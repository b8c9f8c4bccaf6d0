import type { ContentInput, StoredContent, StoredFile } from "../../schemas/knowledge/knowledge-content.ts";
import { knowledgeObjects } from "../../stores/objects/knowledge-prefix.ts";
import { putObject } from "../../stores/objects/put-object.ts";
import { ContentFault } from "../content-fault.ts";
import { guardedFetch, MAX_FETCHED_BYTES, parsedUrl } from "../fetch/guarded-fetch.ts";
import { extensionOf } from "../readers/pick-reader.ts";
import type { RemoteFile } from "../sources/source.ts";
import { writeLeased } from "./content-lease.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { duringStep } from "./step-failed.ts";

export type WithFile = { readonly content: StoredContent; readonly file: StoredFile };

/**
 * The file of a content. A remote file is fetched once and saved, so that the next worker reads the same bytes and makes
 * the same chunks.
 *
 * @throws ContentFault, StepFailed, LeaseLost, Superseded
 */
export async function fetchFile(deps: ProcessingDeps, content: StoredContent): Promise<WithFile> {
  const { input, fetched } = content;
  if (input.kind === "held") return { content, file: input.file };
  if (fetched) return { content, file: fetched };
  const found = await duringStep("fetching it", () => fetchInput(deps, input));
  const prefix = knowledgeObjects(content.knowledge_id, content.id, content.revision);
  const object = await duringStep("keeping it", () => putObject(deps.db, prefix, found.bytes));
  const file = { object, filename: found.filename, mime_type: found.mime_type };
  const saved = await writeLeased(deps, content, (seen) => ({
    ...seen,
    fetched: file,
    size: found.bytes.length,
  }));
  return { content: saved, file };
}

async function fetchInput(
  deps: ProcessingDeps,
  input: Exclude<ContentInput, { kind: "held" }>,
): Promise<RemoteFile> {
  switch (input.kind) {
    case "url":
      return fetchUrl(input.url, deps.allowedHosts);
    case "upload": {
      const bytes = await deps.db.objects.get(input.key);
      if (!bytes) throw new ContentFault("The uploaded file is gone.");
      if (bytes.length > MAX_FETCHED_BYTES)
        throw new ContentFault(`The file holds more than ${MAX_FETCHED_BYTES} bytes.`);
      return { ...input, bytes };
    }
    case "remote": {
      const source = deps.sourceOf(input.source_id);
      if (!source) throw new ContentFault(`There is no source ${input.source_id} any more.`);
      return deps.openSource(source, input.repo).read(input.key);
    }
    case "folder":
      throw new ContentFault("A folder is no file.");
  }
}

/** An address without an extension is a web page. @source contract, knowledge 4.2 step 3 */
async function fetchUrl(url: string, allowedHosts: readonly string[]): Promise<RemoteFile> {
  const { bytes, mime_type } = await guardedFetch(url, { allowedHosts });
  const filename = decodeURIComponentSafely(parsedUrl(url).pathname.split("/").at(-1) ?? "");
  const type = extensionOf(filename) === "" && mime_type === "" ? "text/html" : mime_type;
  return { bytes, filename, mime_type: type };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
