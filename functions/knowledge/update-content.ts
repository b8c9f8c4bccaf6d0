import { pendingTaskOf, planPatch } from "../../shared/domain/knowledge/content-plans.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { processContent, tagError, wake } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Metadata, StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { MAX_METADATA_CHARS } from "../../shared/schemas/knowledge/knowledge-forms.ts";
import { isObject, parsedJson } from "../../shared/schemas/values/json-values.ts";
import { isStorable, STORABLE } from "../../shared/schemas/values/storable.ts";
import { wireContent } from "../../shared/stores/knowledge/content-item.ts";
import { changeContent } from "../../shared/stores/knowledge/put-content.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { ownContent } from "./visible-content.ts";

/** Chunks that are changed before the answer; of larger contents a worker changes them. */
const MOST_AT_ONCE = 500;
const MOST_MS = 15_000;

/**
 * Changes the name, the description and the metadata of a content. The chunks of an ordinary content carry its new
 * metadata when this is answered.
 *
 * @throws ServiceError BAD_REQUEST for metadata that is no JSON object or that cannot be searched by, and for a reader:
 *   a base has none of its own
 * @source docs/interface/knowledge.md 5.1
 */
export const updateContent: Handler<typeof knowledgeRoutes.updateContent, KnowledgeDeps> = async (
  { params, query, body, principal },
  deps,
) => {
  const id = params.content_id;
  const seen = await ownContent(deps, principal, id, query);
  if (body.reader_id !== undefined) {
    throw new ServiceError("BAD_REQUEST", `this base has no reader of its own named ${body.reader_id}`);
  }
  const patch = { ...body, metadata: metadataOf(body.metadata) };
  const now = epochSeconds(deps.clock);
  const planned = (before: StoredContent) =>
    before.removed ? undefined : searchable(planPatch(before, patch, now));
  const content = await changeContent(deps.db, seen, planned);
  if (!content || content.removed) throw notFound("content", id);
  await tagChunks(deps, content);
  return wireContent(content);
};

async function tagChunks(deps: KnowledgeDeps, content: StoredContent): Promise<void> {
  if (pendingTaskOf(content) !== "tag") return;
  if ((content.live?.chunks ?? 0) > MOST_AT_ONCE) return wake(deps, content);
  await processContent(deps, content, deps.clock.now() + MOST_MS);
}

function metadataOf(text: string | undefined): Metadata | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = parsedJson(text);
  if (isObject(value) && text.length <= MAX_METADATA_CHARS && isStorable(value)) return value;
  throw new ServiceError(
    "BAD_REQUEST",
    `metadata must be a JSON object of at most ${MAX_METADATA_CHARS} characters; ${STORABLE}`,
  );
}

function searchable(content: StoredContent): StoredContent {
  const invalid = tagError(content);
  if (invalid !== undefined) throw new ServiceError("BAD_REQUEST", invalid);
  return content;
}
