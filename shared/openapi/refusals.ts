import * as v from "valibot";
import type { RefusalStatus, Route } from "../routes/route.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { type ResponseName, responseTo } from "./refusal-responses.ts";

/**
 * The statuses with which an operation refuses: those that follow from the parts of its row, then those that it names.
 *
 *   credential   401, 403, 429 (too many failures, or too many requests)
 *   signature    403
 *   path         404
 *   db_id        400, 404: a table without its database, an unknown database
 *   form         400: parts of a kind that is not accepted
 *   body         413
 *   input that can be invalid   422
 *   always       500, 503
 */
export function refusalsOf(route: Route): Record<string, unknown> {
  const named = route.refuses ?? [];
  const own = (status: RefusalStatus): boolean => named.includes(status);
  const answers: Record<number, ResponseName | undefined> = {
    400: own(400) || namesDatabase(route) || isForm(route) ? "BadRequest" : undefined,
    401: isGuarded(route) ? "Unauthenticated" : undefined,
    403: isGuarded(route) || route.signature ? "Forbidden" : undefined,
    404: own(404) || route.params || namesDatabase(route) ? "NotFound" : undefined,
    409: own(409) ? "Conflict" : undefined,
    410: own(410) ? "Gone" : undefined,
    413: route.body ? "PayloadTooLarge" : undefined,
    415: own(415) ? "UnsupportedMediaType" : undefined,
    422: own(422) ? "Unprocessable" : canBeInvalid(route) ? "InvalidInput" : undefined,
    429: isGuarded(route) ? "TooManyRequests" : undefined,
    500: "InternalServerError",
    503: "Unavailable",
  };
  return Object.fromEntries(
    Object.entries(answers).flatMap(([status, name]) =>
      name ? [[status, hasOwnBody(route, Number(status)) ? ownRefusal(route, name) : responseTo(name)]] : [],
    ),
  );
}

const isGuarded = ({ scopes }: Route): boolean => scopes !== "public";
const isForm = ({ body }: Route): boolean => body !== undefined && "form" in body;
const namesDatabase = ({ query }: Route): boolean =>
  query !== undefined && "db_id" in (jsonSchemaOf(query).properties ?? {});

/** Any text is valid for a plain text field, and an optional one may be absent. */
function canBeInvalid({ params, query, body }: Route): boolean {
  if (body && !("text" in body)) return true;
  return [params, query].some((schema) => {
    if (!schema) return false;
    const { properties = {}, required = [] } = jsonSchemaOf(schema);
    const isPlain = Object.values(properties).every((one) => JSON.stringify(one) === '{"type":"string"}');
    // The variables of a path are always present.
    return !isPlain || (schema === query && required.length > 0);
  });
}

/** Statuses for which the row's protocol has its own bodies. */
const hasOwnBody = ({ refusal, refusals }: Route, status: number): boolean =>
  refusal !== undefined && (refusals !== undefined || [400, 404, 409, 415, 422].includes(status));

const ownRefusal = ({ refusal = v.unknown() }: Route, name: ResponseName) =>
  responseTo(name, jsonSchemaOf(refusal));
