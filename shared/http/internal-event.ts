import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { decide } from "../auth/decide.ts";
import { actingFor } from "../auth/schedules/acting-for.ts";
import type { Family } from "../routes/index.ts";
import { matchRoute } from "../routes/matching/match.ts";
import { isProtocolOperation } from "../routes/protocols/protocol-operations.ts";

export type InternalRequest = {
  readonly method: string;
  /** Percent-encoded, without the query. */
  readonly rawPath: string;
  readonly rawQueryString?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** User for whom the request is made; null for none. */
  readonly owner: string | null;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

/**
 * Builds the event of a request that the platform makes to itself. It reaches a family's function by a Lambda call that
 * the caller's role must allow. It carries a decision made by the same rules as every other, and no credential that
 * could be stolen.
 *
 * @returns the family to call and its event; undefined for an unknown path
 * @throws ServiceError UNAUTHORIZED for an owner that is no user
 * @source docs/interface/access.md 4.1
 */
export function internalEvent(
  request: InternalRequest,
  adminScope: string,
): { family: Family; event: APIGatewayProxyEventV2 } | undefined {
  const { method, rawPath, rawQueryString = "", headers = {}, body, requestId, at } = request;
  const found = matchRoute(method, rawPath);
  if (!found || !("operation" in found) || isForExternalClients(found)) return undefined;
  const rules = { adminScope, mappedScopes: () => undefined };
  const decision = decide(actingFor(request.owner), { method, rawPath, found }, rules);
  const requestContext = {
    ...unusedContext,
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

/** These are for other systems' clients, and a deployment may leave them out; what they do, other routes do too. */
const isForExternalClients = ({ family, operation }: { family: Family; operation: string }): boolean =>
  family === "a2a" || isProtocolOperation(operation);

/** Fields that API Gateway fills in and no handler reads. */
const unusedContext = {
  accountId: "",
  apiId: "internal",
  domainName: "internal",
  domainPrefix: "internal",
  routeKey: "$default",
  stage: "$default",
};
