import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { type KnowledgeBase, selectBase } from "../../shared/knowledge/configured.ts";
import { contentIdOf, addContent as putOnRecord } from "../../shared/knowledge/intake.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import type { ContentForm } from "../../shared/schemas/knowledge/knowledge-forms.ts";
import { getUploadTicket, type UploadTicket } from "../../shared/stores/knowledge/upload-ticket.ts";
import { knowledgeObjects } from "../../shared/stores/objects/spill.ts";
import { acceptedContent } from "./accepted-content.ts";
import { metadataOf, optionsOf } from "./described.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { type UploadedPart, uploadedParts } from "./uploaded-parts.ts";
import { ownerFor } from "./visibility-of.ts";

type Needs = Pick<KnowledgeDeps, "db" | "queue" | "log" | "clock" | "bases" | "uploads" | "allowedHosts">;

/**
 * Adds content. Its bytes are stored and its record is written before the answer; the rest happens in the background.
 */
export const addContent: Handler<typeof knowledgeRoutes.addContent, Needs> = async (
  { body, query, principal },
  deps,
) => {
  const base = selectBase(deps.bases, query);
  const owner = ownerFor(principal);
  const ticket =
    body.upload_id === undefined ? undefined : await finishedUpload(deps, body.upload_id, principal.user_id);
  const parts = uploadedParts(body, ticket, deps.allowedHosts);
  const added: StoredContent[] = [];
  for (const part of parts) added.push(await addPart(deps, base, owner, body, part));
  const [first] = added;
  if (!first) throw new Error("an upload has at least one part");
  return acceptedContent({ ...first, metadata: metadataOf(body) ?? null });
};

function addPart(
  deps: Needs,
  { id: knowledge_id }: KnowledgeBase,
  owner: string | null,
  form: ContentForm,
  { name, origin, type, size, inputAt }: UploadedPart,
): Promise<StoredContent> {
  const metadata = metadataOf(form);
  const identity = { knowledge_id, owner, name: form.name, description: form.description, metadata };
  const id = contentIdOf({ ...identity, origin });
  const uploadOf = async (revision: number) => ({
    id,
    knowledge_id,
    owner,
    name,
    description: form.description ?? "",
    type,
    size,
    metadata: metadata ?? null,
    input: await inputAt(deps.db, knowledgeObjects(knowledge_id, id, revision)),
    options: optionsOf(form),
  });
  return putOnRecord(deps, { knowledge_id, id }, uploadOf, epochSeconds(deps.clock));
}

/** @throws ServiceError NOT_FOUND for an upload that is not the caller's; BAD_REQUEST where no file was sent yet */
async function finishedUpload(
  { db, clock, uploads }: Needs,
  id: string,
  userId: string | null,
): Promise<UploadTicket> {
  const ticket = await getUploadTicket(db, id, epochSeconds(clock));
  if (!ticket || ticket.user_id !== userId) throw notFound("upload", id);
  if ((await uploads.sizeOf(ticket.key)) !== ticket.size) {
    throw new ServiceError(
      "BAD_REQUEST",
      "the file of this upload has not arrived; send it to the address first",
    );
  }
  return ticket;
}
