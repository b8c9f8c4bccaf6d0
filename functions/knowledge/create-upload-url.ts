import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { selectBase } from "../../shared/knowledge/configured.ts";
import { MAX_STREAMED_BYTES, MAX_WHOLE_BYTES } from "../../shared/knowledge/index.ts";
import { type Reader, readerByName, readers } from "../../shared/knowledge/reading.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { putUploadTicket } from "../../shared/stores/knowledge/upload-ticket.ts";
import { UPLOADS_PREFIX } from "../../shared/stores/objects/spill.ts";
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
  refuseTooLarge(body);
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

type Announced = { readonly filename: string; readonly mime_type: string; readonly size: number };

/** Text is read as it comes, so it may be larger than what is read as a whole. The worker checks what the file is. */
function refuseTooLarge({ filename, mime_type, size }: Announced): void {
  const reader: Reader = readers[readerByName(filename, mime_type) ?? "text"];
  const most = "stream" in reader ? MAX_STREAMED_BYTES : MAX_WHOLE_BYTES;
  if (size <= most) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `a file that ${reader.name} reads may hold at most ${most} bytes; text, Markdown and CSV may hold ${MAX_STREAMED_BYTES}`,
  );
}
