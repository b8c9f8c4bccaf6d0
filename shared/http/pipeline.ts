import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as v from "valibot";
import { ServiceError } from "../errors.ts";
import type { Match, Matched } from "../routes/matching/matcher.ts";
import type { SignatureKind } from "../routes/route.ts";
import { noteInLogScope } from "../runtime/log-scope.ts";
import { fitsKey } from "../schemas/values/key-text.ts";
import { type Admitted, admit } from "./admit.ts";
import { type Answer, buffered, httpAnswerOf } from "./answer.ts";
import { actorOf, auditTrail, forbiddenCaller } from "./audit.ts";
import { isPreflight, preflight } from "./cors.ts";
import type { Exchange } from "./exchange.ts";
import { Reply } from "./handler.ts";
import type { HttpOptions } from "./http-options.ts";
import type { Incoming } from "./incoming.ts";
import { decodeBody, jsonTypeOf } from "./input/decode-body.ts";
import { type JsonRequest, jsonBody } from "./input/json-body.ts";
import { textFields } from "./input/text-fields.ts";
import { type ValidInput, validate } from "./input/validate.ts";
import { answerErrors, observeRequests, permitOrigins } from "./middlewares.ts";
import { afterFirstFrame } from "./stream/after-first-frame.ts";

/** A handler together with its dependencies. Its input has passed the row's schemas. */
export type BoundHandler = (
  input: ValidInput &
    Pick<Admitted, "principal"> &
    Pick<Exchange, "signal" | "invocation"> &
    Pick<Incoming, "headers" | "origin">,
) => Promise<unknown>;

/** What one family answers. */
export type Site = {
  readonly match: (method: string, rawPath: string) => Match;
  /** Undefined for an operation of another family. */
  readonly handlerOf: (operation: string) => BoundHandler | undefined;
  /**
   * Checks that a request was signed by the platform that its row names. Without it no such request is admitted.
   *
   * @throws ServiceError where the signature is wrong
   */
  readonly checkSignature?: CheckSignature;
  /**
   * Refuses what did not come through CloudFront, before anything else is done with a request. Behind the HTTP API the
   * authorizer does so.
   *
   * @returns the address of the client
   * @throws ServiceError UNAUTHORIZED
   */
  readonly requireEdge?: (event: Exchange["event"]) => Promise<string | undefined>;
  /** True behind the HTTP API, which cannot stream: clients get all frames at once. */
  readonly buffers: boolean;
  /** Answers operations of other families; without it they are not found. */
  readonly elsewhere?: ((found: Matched, exchange: Exchange) => Promise<Answer>) | undefined;
};

export type CheckSignature = (kind: SignatureKind, incoming: Incoming) => Promise<void>;

export type Pipeline = (exchange: Exchange, context: Context) => Promise<Answer>;

const WithId = v.object({ id: v.string() });

/** Time before a function's end at which a handler that still runs is answered with an error of ours. */
const RESERVED_MS = 500;

/**
 * Handles every request, from the HTTP API and from function URLs. What all answers need (errors, CORS, the log line)
 * is middleware around `answer`, so that a refusal at any step gets it too. `answerErrors` is last in the list because
 * errors must be answers before the others see them.
 */
export function createPipeline(site: Site, options: HttpOptions): Pipeline {
  return middy<Exchange, Answer>({ timeoutEarlyInMillis: RESERVED_MS })
    .use([observeRequests(options), permitOrigins(options.origins), answerErrors])
    .handler((exchange: Exchange, context) => answer(exchange, context, site, options));
}

/** Refuse and decode, then validate, handle, encode; in the order in which clients rely on 401, 403, 404, 413 and 422. */
async function answer(
  exchange: Exchange,
  context: Context,
  site: Site,
  options: HttpOptions,
): Promise<Answer> {
  const viewer = await site.requireEdge?.(exchange.event);
  if (viewer !== undefined) exchange.incoming = { ...exchange.incoming, sourceIp: viewer };
  const { incoming, logFields, audited } = exchange;
  if (isPreflight(incoming)) return preflight(incoming, options.origins);
  const match = site.match(incoming.method, incoming.rawPath);
  audited.found = match;
  audited.decision = await exchange.decide();
  const refused = forbiddenCaller(audited.decision);
  if (refused && match && "operation" in match) audited.actor = actorOf(incoming, match, refused);
  const origin = options.namesSignIn === false ? undefined : (options.publicUrl ?? incoming.origin ?? "");
  const { found, principal } = admit(match, audited.decision, origin);
  audited.actor = actorOf(incoming, found, principal);
  logFields.operation = found.operation;
  // A chat platform's user id is often a telephone number, which must not be logged.
  logFields.user_id = isFromChat(principal, incoming) ? null : principal.user_id;
  const handle = site.handlerOf(found.operation);
  if (!handle) return answerElsewhere(found, exchange, site);
  if (found.route.signature) await requireSignature(found.route.signature, exchange, site);
  const body = await decodeBody(found.route.body, incoming, options.maxBodyBytes);
  const handling = { exchange, site, options, handle, found, principal };
  const isJson = found.route.body !== undefined && "json" in found.route.body && body !== undefined;
  const admitted = { ...handling, headers: { "content-type": jsonTypeOf(incoming.headers) }, body };
  return isJson ? answerJson(admitted, context) : answerAdmitted(admitted);
}

/** A request that was admitted to its route. */
type AdmittedRequest = JsonRequest &
  Pick<Admitted, "principal"> & {
    readonly exchange: Exchange;
    readonly site: Site;
    readonly options: HttpOptions;
    readonly handle: BoundHandler;
    readonly found: Matched;
  };

/** Validate, handle, encode. */
async function answerAdmitted(request: AdmittedRequest): Promise<Answer> {
  const { exchange, site, options, handle, found, principal, body } = request;
  const { incoming, audited, signal, invocation } = exchange;
  const query = textFields(new URLSearchParams(incoming.rawQueryString), found.route.query);
  const input = validate(found.route, { path: found.params, query, body });
  if (found.route.body && "form" in found.route.body)
    recordDropped(exchange, options, droppedFields(body, input.body));
  requirePossibleIds(found.params);
  const { run_id, job_id: of_run = run_id } = found.params;
  if (of_run !== undefined) noteInLogScope({ run_id: of_run });
  const { headers, origin } = incoming;
  const trail = auditTrail(options.recordAudit, audited);
  await trail.begin();
  const result = await handle({ ...input, headers, origin, principal, signal, invocation });
  if (Object.keys(found.params).length === 0) audited.created = createdId(result);
  await trail.end(result instanceof Reply ? result.body : result);
  const answered = httpAnswerOf(found.route, result);
  return site.buffers ? buffered(answered) : afterFirstFrame(answered);
}

/** The same for routes that take JSON, with their middleware. */
const answerJson = middy<AdmittedRequest, Answer>().use(jsonBody).handler(answerAdmitted);

/**
 * Refuses ids that fit into no key before a table is read: DynamoDB's error would be answered as an outage.
 *
 * @throws ServiceError NOT_FOUND for an id that nothing can have
 */
function requirePossibleIds(params: Matched["params"]): void {
  if (!Object.values(params).every(fitsKey)) throw new ServiceError("NOT_FOUND", "Not Found");
}

function recordDropped({ logFields }: Exchange, { meter }: HttpOptions, names: readonly string[]): void {
  if (names.length === 0) return;
  logFields.dropped_fields = names;
  meter?.record({ DroppedFormFields: names.length });
}

async function requireSignature(
  kind: SignatureKind,
  { incoming }: Exchange,
  { checkSignature }: Site,
): Promise<void> {
  if (!checkSignature) throw new ServiceError("INTERNAL_SERVER_ERROR", "no signature verifier configured");
  await checkSignature(kind, incoming);
}

const isFromChat = ({ kind }: Admitted["principal"], { headers }: Incoming): boolean =>
  kind === "internal" && headers["x-chat-message"] !== undefined;

/** Id of what a request created, for the audit log. */
function createdId(result: unknown): string | undefined {
  const parsed = v.safeParse(WithId, result instanceof Reply ? result.body : result);
  return parsed.success ? parsed.output.id : undefined;
}

async function answerElsewhere(found: Matched, exchange: Exchange, { elsewhere }: Site): Promise<Answer> {
  if (!elsewhere) throw new ServiceError("NOT_FOUND", "Not Found");
  // The family that answers writes the audit line.
  exchange.audited.found = undefined;
  return elsewhere(found, exchange);
}

/**
 * Form fields whose text was ignored because it was malformed: this interface does not refuse such a form.
 *
 * @param sent    the form as it came
 * @param parsed  what its schema made of it
 */
export function droppedFields(sent: unknown, parsed: unknown): string[] {
  const values = new Map(entriesOf(parsed));
  return entriesOf(sent).flatMap(([name, value]) =>
    value !== "" && values.get(name) === undefined ? [name] : [],
  );
}

const entriesOf = (form: unknown): [string, unknown][] =>
  typeof form === "object" && form !== null ? Object.entries(form) : [];
