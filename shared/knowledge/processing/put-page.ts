import { createHash } from "node:crypto";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { getContent } from "../../stores/knowledge/content-item.ts";
import { putObject } from "../../stores/objects/object-bytes.ts";
import { knowledgeObjects } from "../../stores/objects/spill.ts";
import { addContent } from "../add-content.ts";
import { contentIdOf } from "../content-id.ts";
import type { Fetched } from "../fetch/guarded-fetch.ts";
import { fetchedFile } from "./fetch-file.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

/** The id of a page, which is not that of the same address added by itself. */
export const pageIdOf = (
  { knowledge_id, owner, description, metadata, id }: StoredContent,
  url: string,
): string =>
  contentIdOf({
    knowledge_id,
    owner,
    name: undefined,
    description,
    metadata: metadata ?? undefined,
    origin: `site:${id}:${url}`,
  });

const MAX_NAME_CHARS = 255;

/**
 * Adds a page of a site as a content of its own, with the bytes that were fetched. A page whose bytes are the same as
 * before stays as it is.
 *
 * @param fetched  undefined where the content has to fetch the page itself
 */
export async function putPage(
  deps: ProcessingDeps,
  site: StoredContent,
  url: string,
  fetched: Fetched | undefined,
): Promise<void> {
  const { knowledge_id, owner, description, metadata, options } = site;
  const id = pageIdOf(site, url);
  const address = { knowledge_id, id };
  if (fetched && (await hasBytes(deps, address, fetched.bytes))) return;
  const uploadOf = async (revision: number) => ({
    ...address,
    owner,
    name: url.slice(0, MAX_NAME_CHARS),
    description,
    metadata,
    options,
    type: "url",
    size: fetched?.bytes.length ?? 0,
    parent_id: site.id,
    input: { kind: "url" as const, url },
    ...(fetched && {
      fetched: fetchedFile(
        await putObject(deps.db, knowledgeObjects(knowledge_id, id, revision), fetched.bytes),
        url,
        fetched,
      ),
    }),
  });
  await addContent(deps, address, uploadOf, epochSeconds(deps.clock));
}

async function hasBytes(
  { db }: ProcessingDeps,
  address: { readonly knowledge_id: string; readonly id: string },
  bytes: Uint8Array,
): Promise<boolean> {
  const seen = await getContent(db, address);
  if (!seen || seen.removed || seen.status === "failed") return false;
  return seen.fetched?.object.sha256 === createHash("sha256").update(bytes).digest("hex");
}
