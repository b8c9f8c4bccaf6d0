import { createHash } from "node:crypto";
import { agentCard, type CardPlace, type CardSubject, hybridCard } from "../../shared/a2a/agent-card.ts";
import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { Reply } from "../../shared/http/handler.ts";
import { getVersion } from "../../shared/stores/components/get-version.ts";
import { findComponent } from "../runs/read/find-component.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { cardSubject } from "./card-subject.ts";
import { versionIn } from "./protocol-version.ts";
import { offersPush } from "./push-configs.ts";

/**
 * The card by which other agents know a component: of version 1.0 for clients that name it, of both for others.
 *
 * @source contract, a2a section 7
 */
export const getCard = async (request: A2aRequest, deps: A2aDeps): Promise<Reply> =>
  cardReply(request, await cardOf(request, deps, callerOf(request.principal)));

/** The answer with a card, or that the client has it already. */
export function cardReply(
  request: Pick<A2aRequest, "headers" | "query">,
  shown: ShownCard,
  caching = "private, max-age=60",
): Reply {
  const card = versionIn(request) === "1.0" ? currentCard(shown) : legacyCard(shown);
  const etag = `"${createHash("sha256").update(JSON.stringify(card)).digest("base64url").slice(0, 27)}"`;
  const about = {
    ...{ vary: "A2A-Version, Authorization", "cache-control": caching, etag },
    ...(shown.changed && { "last-modified": shown.changed.toUTCString() }),
  };
  const known = request.headers["if-none-match"]?.split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known?.includes(etag) ? new Reply(304, undefined, about) : new Reply(200, card, about);
}

export type ShownCard = {
  readonly subject: CardSubject;
  readonly place: CardPlace;
  /** When a stored component got this version; nobody knows when code was written. */
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
