import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { readableIds } from "../../shared/auth/scopes/scopes.ts";
import { audiencesOf } from "../../shared/domain/components/audience.ts";
import { declaredIn } from "../../shared/engine/define/registry.ts";
import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import { ServiceError } from "../../shared/errors.ts";
import { Reply } from "../../shared/http/handler.ts";
import { allSettled } from "../../shared/runtime/promises.ts";
import { newestComponents } from "../../shared/stores/components/list-components.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { cardOf, cardReply, currentCard, legacyCard, type ShownCard, signedBy } from "./get-card.ts";
import { versionIn } from "./protocol-version.ts";

type AnyRequest = Omit<A2aRequest, "component" | "params">;

/** Who has configured the host agent may read it: the operator. */
const operator: Caller = { seesAll: true, user_id: null };

/**
 * The card of the component that stands for the service, for clients that know nothing but the service's address. It names no tools:
 * everybody may read it, and callers with a credential get the rest as the extended card.
 *
 * @throws ServiceError NOT_FOUND where no component is configured
 */
export async function getHostCard(request: AnyRequest, deps: A2aDeps): Promise<Reply> {
  if (!deps.hostAgent)
    throw new ServiceError("NOT_FOUND", "no component stands for this service (a2aHostAgent)");
  const shown = await cardOf({ ...request, component: deps.hostAgent }, deps, operator);
  const { skills } = shown.subject;
  return cardReply(
    request,
    deps,
    { ...shown, subject: { ...shown.subject, skills: skills.slice(0, 1) } },
    "max-age=60",
  );
}

const kinds: readonly RunnableKind[] = ["agent", "team", "workflow"];

/** The cards of everything that the caller may read: what code declares, then what is stored. */
export async function listCards(request: AnyRequest, deps: A2aDeps): Promise<Reply> {
  const shown = (await allSettled(kinds.map((kind) => cardsOf(kind, request, deps)))).flat();
  const cards = shown.map(versionIn(request) === "1.0" ? currentCard : legacyCard);
  return new Reply(200, {
    cards: await allSettled(cards.map((card) => signedBy(deps.cardSigner, card))),
  });
}

/**
 * The public keys by which the signatures of cards are checked.
 *
 * @throws ServiceError NOT_FOUND where cards are not signed
 */
export async function getCardKeys(_request: AnyRequest, { cardSigner }: A2aDeps): Promise<Reply> {
  if (!cardSigner) throw new ServiceError("NOT_FOUND", "agent cards are not signed here (a2aCardKeySecret)");
  return new Reply(200, { keys: await cardSigner.published() }, { "cache-control": "max-age=300" });
}

async function cardsOf(kind: RunnableKind, request: AnyRequest, deps: A2aDeps): Promise<ShownCard[]> {
  const ids = readableIds(request.principal, `${kind}s`);
  if (ids !== "all" && ids.size === 0) return [];
  const reader = callerOf(request.principal);
  const declared = declaredIn(deps.registry);
  const components = await newestComponents(deps.db, {
    audiences: audiencesOf(reader),
    type: kind,
    hidden: declared.map(({ id }) => id),
  });
  // What has no live version cannot be asked for anything.
  const live = components.filter(({ current_version }) => current_version !== undefined);
  const all = [
    ...declared.filter(({ type }) => type === kind).map(({ id }) => id),
    ...live.map(({ component_id }) => component_id),
  ];
  const readable = all.filter((id) => ids === "all" || ids.has(id));
  const shown = await allSettled(
    readable.map((id) => cardOf({ ...request, component: { kind, id } }, deps, reader).catch(unlessBroken)),
  );
  return shown.filter((one) => one !== undefined);
}

/** A stored component that cannot be built is left out of a list. */
function unlessBroken(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
}
