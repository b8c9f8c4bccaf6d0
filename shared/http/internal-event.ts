import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { actingFor } from "../auth/acting-for.ts";
import { decide } from "../auth/decide.ts";
import { createMappedScopes } from "../auth/scope-mappings.ts";
import type { Family } from "../routes/index.ts";
import { matchRoute } from "../routes/match.ts";

export type InternalRequest = {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly rawPath: string;
  readonly rawQueryString?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whom the request is made for; null for nobody in particular. */
  readonly owner: string | null;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

/**
 * A request of the platform to itself, as a family's function receives it: by a Lambda call that the caller's role must
 * allow, with a decision that passed the same gate as everybody's, and with no credential that could be stolen.
 *
 * @returns the family to call and its event; undefined where the path leads nowhere
 * @throws ServiceError FORBIDDEN for an owner for whom nothing may be done
 * @source design, section 8; contract, auth section 5
 */
export function internalEvent(
  request: InternalRequest,
  adminScope: string,
): { family: Family; event: APIGatewayProxyEventV2 } | undefined {
  const { method, rawPath, rawQueryString = "", headers = {}, body, requestId, at } = request;
  const found = matchRoute(method, rawPath);
  if (!found || !("operation" in found) || isForOthers(found.family)) return undefined;
  const rules = { adminScope, mappedScopes: createMappedScopes({}) };
  const decision = decide(actingFor(request.owner), { method, rawPath, found }, rules);
  const requestContext = {
    ...nobodysContext,
    http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "internal", userAgent: "agent-platform" },
    requestId,
    time: new Date(at).toISOString(),
    timeEpoch: at,
    authorizer: { lambda: { decision: JSON.stringify(decision) } },
  };
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers: { ...headers },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
    requestContext,
  };
  return { family: found.family, event };
}

/** An interface for foreign clients, which may be elsewhere or nowhere: what it does has a route of its own. */
const isForOthers = (family: Family): boolean => family === "a2a";

/** What a gateway would fill in and nobody reads. */
const nobodysContext = {
  accountId: "",
  apiId: "internal",
  domainName: "internal",
  domainPrefix: "internal",
  routeKey: "$default",
  stage: "$default",
};
