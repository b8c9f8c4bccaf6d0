import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as v from "valibot";
import { ServiceError } from "../errors.ts";
import type { Match, Matched } from "../routes/matcher.ts";
import type { SignatureKind } from "../routes/route.ts";
import { fitsKey } from "../schemas/values/key-text.ts";
import { type Admitted, admit } from "./admit.ts";
import { afterFirstFrame } from "./after-first-frame.ts";
import { type Answer, answerOf, joined } from "./answer.ts";
import { isPreflight, preflight } from "./cors.ts";
import { decodeBody } from "./decode-body.ts";
import type { Door } from "./door.ts";
import { droppedFields } from "./dropped-fields.ts";
import type { Exchange } from "./exchange.ts";
import { Reply } from "./handler.ts";
import type { Incoming } from "./incoming.ts";
import { answerErrors, observeRequests, permitOrigins } from "./middlewares.ts";
import { textFields } from "./text-fields.ts";
import { type ValidInput, validate } from "./validate.ts";

/** A handler together with its dependencies. Its input has passed the row's schemas. */
export type BoundHandler = (
  input: ValidInput &
    Pick<Admitted, "principal"> &
    Pick<Exchange, "signal" | "waitLimits"> &
    Pick<Incoming, "headers" | "origin">,
) => Promise<unknown>;

/** What one family answers. */
export type Site = {
  readonly match: (method: string, rawPath: string) => Match;
  /** Undefined for an operation of another family. */
  readonly handlerOf: (operation: string) => BoundHandler | undefined;
  /**
   * Checks that a request comes from whom its row says. Without it no such request passes.
   *
   * @throws ServiceError where it does not
   */
  readonly checkSignature?: CheckSignature;
  /** Set where the front cannot stream: its clients get all frames at once. */
  readonly buffers: boolean;
  /** Answers operations of other families; without it they are not found. */
  readonly elsewhere?: ((found: Matched, exchange: Exchange) => Promise<Answer>) | undefined;
};

export type CheckSignature = (kind: SignatureKind, incoming: Incoming) => Promise<void>;

export type Pipeline = (exchange: Exchange, context: Context) => Promise<Answer>;

const WithId = v.object({ id: v.string() });

/** What is left of a function's time for an answer of our own, when a handler would outlast it. */
const RESERVED_MS = 500;

/**
 * The way of every request, whichever front took it. What concerns all answers alike (errors, CORS, the request
 * line) stands around `answer` as middleware, so that a refusal at any step gets it too; the errors come last in
 * the list because they must be answers before the others see them.
 */
export function createPipeline(site: Site, door: Door): Pipeline {
  return middy<Exchange, Answer>({ timeoutEarlyInMillis: RESERVED_MS })
    .use([observeRequests(door.log), permitOrigins(door.origins), answerErrors])
    .handler((exchange: Exchange) => answer(exchange, site, door));
}

/** Refuse, decode, validate, handle, encode; in the order in which clients rely on 401, 403, 404, 413 and 422. */
async function answer(exchange: Exchange, site: Site, door: Door): Promise<Answer> {
  const { incoming, noted, audited, signal, waitLimits } = exchange;
  if (isPreflight(incoming)) return preflight(incoming, door.origins);
  const match = site.match(incoming.method, incoming.rawPath);
  audited.found = match;
  audited.decision = await exchange.decide();
  const { found, principal } = admit(match, audited.decision);
  noted.operation = found.operation;
  // What chat platforms call a user is often a telephone number, which belongs in no log.
  noted.user_id = isFromChat(principal, incoming) ? null : principal.user_id;
  const handle = site.handlerOf(found.operation);
  if (!handle) return answerElsewhere(found, exchange, site);
  if (found.route.signature) await requireSignature(found.route.signature, exchange, site);
  const body = await decodeBody(found.route.body, incoming, door.maxBodyBytes);
  const query = textFields(new URLSearchParams(incoming.rawQueryString), found.route.query);
  const input = validate(found.route, { path: found.params, query, body });
  if (found.route.body && "form" in found.route.body)
    noteDropped(exchange, door, droppedFields(body, input.body));
  requirePossibleIds(found.params);
  const { headers, origin } = incoming;
  const result = await handle({ ...input, headers, origin, principal, signal, waitLimits });
  if (Object.keys(found.params).length === 0) audited.created = createdId(result);
  const answered = answerOf(found.route, result);
  return site.buffers ? joined(answered) : afterFirstFrame(answered);
}

/**
 * What fits into no key is asked of no table: its refusal would pass for an outage.
 *
 * @throws ServiceError NOT_FOUND for what cannot be the name of anything
 */
function requirePossibleIds(params: Matched["params"]): void {
  if (!Object.values(params).every(fitsKey)) throw new ServiceError("NOT_FOUND", "Not Found");
}

function noteDropped({ noted }: Exchange, { meter }: Door, names: readonly string[]): void {
  if (names.length === 0) return;
  noted.dropped_fields = names;
  meter?.record({ DroppedFormFields: names.length });
}

async function requireSignature(
  kind: SignatureKind,
  { incoming }: Exchange,
  { checkSignature }: Site,
): Promise<void> {
  if (!checkSignature) throw new ServiceError("INTERNAL_SERVER_ERROR", "Nobody checks signatures here");
  await checkSignature(kind, incoming);
}

const isFromChat = ({ kind }: Admitted["principal"], { headers }: Incoming): boolean =>
  kind === "internal" && headers["x-chat-message"] !== undefined;

/** Id of what a request made, for the audit log. */
function createdId(result: unknown): string | undefined {
  const parsed = v.safeParse(WithId, result instanceof Reply ? result.body : result);
  return parsed.success ? parsed.output.id : undefined;
}

async function answerElsewhere(found: Matched, exchange: Exchange, { elsewhere }: Site): Promise<Answer> {
  if (!elsewhere) throw new ServiceError("NOT_FOUND", "Not Found");
  // The family that answers writes the line.
  exchange.audited.found = undefined;
  return elsewhere(found, exchange);
}
