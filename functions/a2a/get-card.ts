import { createHash } from "node:crypto";
import { agentCard, type CardPlace, type CardSubject, hybridCard } from "../../shared/a2a/agent-card.ts";
import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { Reply } from "../../shared/http/handler.ts";
import { findComponent } from "../../shared/runs/index.ts";
import { getVersion } from "../../shared/stores/components/version-item.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import type { CardSigner } from "./card-signer.ts";
import { cardSubject } from "./card-subject.ts";
import { versionIn } from "./protocol-version.ts";
import { offersPush } from "./push-configs.ts";

type Json = Readonly<Record<string, unknown>>;

/** The card by which other agents know a component: of version 1.0 for clients that name it, of both for others. */
export const getCard = async (request: A2aRequest, deps: A2aDeps): Promise<Reply> =>
  cardReply(request, deps, await cardOf(request, deps, callerOf(request.principal)));

/** The answer with a card, or that the client has it already. */
export async function cardReply(
  request: Pick<A2aRequest, "headers" | "query">,
  { cardSigner }: Pick<A2aDeps, "cardSigner">,
  shown: ShownCard,
  caching = "private, max-age=60",
): Promise<Reply> {
  const card = versionIn(request) === "1.0" ? currentCard(shown) : legacyCard(shown);
  const kids = await cardSigner?.kids();
  // Two signatures of one card may differ, so that it is the same in what it says and not byte by byte.
  const etag = `${kids ? "W/" : ""}"${digestOf(kids ? [card, kids] : card)}"`;
  const about = {
    ...{ vary: "A2A-Version, Authorization", "cache-control": caching, etag },
    ...(shown.changed && { "last-modified": shown.changed.toUTCString() }),
  };
  const known = request.headers["if-none-match"]?.split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (known?.includes(etag.replace(/^W\//, ""))) return new Reply(304, undefined, about);
  return new Reply(200, await signedBy(cardSigner, card), about);
}

const digestOf = (value: object): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 27);

/** A card as clients get it: signed, where a key is configured. */
export const signedBy = async (signer: CardSigner | undefined, card: Json): Promise<Json> =>
  signer ? signer.sign(card) : card;

export type ShownCard = {
  readonly subject: CardSubject;
  readonly place: CardPlace;
  /** When a stored component got this version; it is unknown when code was written. */
  readonly changed: Date | undefined;
};

/**
 * @param reader  who may see the component, where it is stored
 * @throws ServiceError NOT_FOUND where nothing of this kind has the id
 */
export async function cardOf(
  { component, origin = "" }: Pick<A2aRequest, "component" | "origin">,
  deps: A2aDeps,
  reader: Caller,
): Promise<ShownCard> {
  const runnable = await findComponent(deps, component, { reader, version: undefined });
  const { kind, id, version } = runnable;
  const stored = version === undefined ? undefined : await getVersion(deps.db, id, version);
  return {
    subject: cardSubject(runnable),
    place: {
      root: `${deps.publicUrl ?? origin}${deps.prefix}/${kind}s/${encodeURIComponent(id)}`,
      discovery: deps.discovery,
      pushes: offersPush(deps),
    },
    changed: stored && new Date((stored.updated_at ?? stored.created_at) * 1000),
  };
}

export const currentCard = ({ subject, place }: ShownCard) => agentCard(subject, place);
export const legacyCard = ({ subject, place }: ShownCard) => hybridCard(subject, place);
