import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/base.ts";
import { MAX_FETCHED_BYTES } from "../../shared/knowledge/fetch/guarded-fetch.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { putUploadTicket } from "../../shared/stores/knowledge/upload-ticket.ts";
import { UPLOADS_PREFIX } from "../../shared/stores/objects/knowledge-prefix.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases" | "clock" | "newId" | "uploads">;

/** How long the address takes the file. */
const ADDRESS_SECONDS = 3_600;
/** How long the file may then wait to be added; the bucket drops it after a day. */
const TICKET_SECONDS = 20 * 3_600;

/**
 * An address in the bucket for a file that no request can carry.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE for what could not be processed
 * @decided ours: a request carries 4.7 MB
 */
export const createUploadUrl: Handler<typeof knowledgeRoutes.createUploadUrl, Needs> = async (
  { body, query, principal },
  { db, bases, clock, newId, uploads },
) => {
  const { id: knowledge_id } = selectBase(bases, query);
  if (body.size > MAX_FETCHED_BYTES) {
    throw new ServiceError("PAYLOAD_TOO_LARGE", `a file may hold at most ${MAX_FETCHED_BYTES} bytes`);
  }
  const upload_id = newId();
  const key = `${UPLOADS_PREFIX}${upload_id}`;
  const now = epochSeconds(clock);
  const { filename, mime_type, size } = body;
  const { user_id } = principal;
  const expires_at = now + TICKET_SECONDS;
  await putUploadTicket(db, { upload_id, knowledge_id, user_id, key, filename, mime_type, size, expires_at });
  const { url, headers } = await uploads.open(key, size, mime_type, ADDRESS_SECONDS);
  return { upload_id, method: "PUT", url, headers: { ...headers }, expires_at: now + ADDRESS_SECONDS };
};
