import type { APIGatewayRequestAuthorizerEventV2, APIGatewaySimpleAuthorizerResult } from "aws-lambda";
import type { AccessStore } from "../../shared/auth/access-store.ts";
import { authorizerFrom } from "../../shared/auth/authorize.ts";
import type { Decision } from "../../shared/auth/decision.ts";
import { clientAddress, type FromEdge, fromEdgeIn } from "../../shared/auth/from-edge.ts";
import { newServiceAccountToken } from "../../shared/auth/identify/service-account-token.ts";
import type { PartsCheck } from "../../shared/auth/parts-check.ts";
import { ServiceError } from "../../shared/errors.ts";
import { encodedPath } from "../../shared/routes/matching/encoded-path.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { EDGE_HEADER } from "../../shared/runtime/edge-secret.ts";
import { authorizerEnv } from "../../shared/settings/authorizer-environment.ts";
import { readEnv } from "../../shared/settings/read-env.ts";

const env = readEnv(authorizerEnv);
let connected: Promise<AccessStore> | undefined;

function store(): Promise<AccessStore> {
  connected ??= import("./connect-store.ts").then(({ connectStore }) => connectStore(env));
  return connected;
}

const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const authorize = authorizerFrom(env, store, log);
const fromEdge = fromEdgeIn(env, log);

/** @returns the error while the secret cannot be read: the pipeline says so in the interface's words */
async function cameFromEdge(headers: Parameters<FromEdge>[0]): Promise<boolean | ServiceError> {
  try {
    return fromEdge === undefined || (await fromEdge(headers));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

const unavailable = ({ message: detail }: ServiceError): Decision => ({
  outcome: "unavailable",
  operation: null,
  detail,
});

/** Whether it can decide: it reads the secret of CloudFront and looks for a credential that does not exist. */
async function canDecide(): Promise<boolean> {
  const came = await cameFromEdge({ [EDGE_HEADER]: "none" });
  const authorization = `Bearer ${newServiceAccountToken()}`;
  const { outcome } = await authorize({ method: "GET", rawPath: "/config", headers: { authorization } });
  return !(came instanceof ServiceError) && outcome !== "unavailable";
}

/**
 * Decides on a request and lets it through together with the decision, which the pipeline renders: the gateway's
 * own refusals cannot carry this interface's bodies. A request that goes around CloudFront comes from no client; the
 * gateway refuses it, and no function of a family is started for it.
 */
export async function handler(event: APIGatewayRequestAuthorizerEventV2 | PartsCheck): Promise<
  APIGatewaySimpleAuthorizerResult & {
    context?: { decision: string; address: string; elapsed_ms: number };
  }
> {
  if ("check" in event) return { isAuthorized: await canDecide() };
  const startedAt = performance.now();
  const headers = event.headers ?? {};
  const came = await cameFromEdge(headers);
  if (came === false) return { isAuthorized: false };
  // Without a secret nothing stands before the gateway, and whatever the header says, the client has written it.
  const isProved = fromEdge !== undefined && came === true;
  const address = clientAddress(isProved, headers, event.requestContext.http.sourceIp);
  const decision =
    came instanceof ServiceError
      ? unavailable(came)
      : await authorize({
          method: event.requestContext.http.method,
          rawPath: encodedPath(event),
          headers,
          sourceIp: address,
        });
  const elapsed_ms = Math.round(performance.now() - startedAt);
  return { isAuthorized: true, context: { decision: JSON.stringify(decision), address, elapsed_ms } };
}
