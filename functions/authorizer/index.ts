import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerWithContextResult,
} from "aws-lambda";
import type { AccessStore } from "../../shared/auth/access-store.ts";
import { authorizerFrom } from "../../shared/auth/authorize.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { authorizerEnv } from "../../shared/runtime/function-env.ts";

const env = readEnv(authorizerEnv);
let connected: Promise<AccessStore> | undefined;

function store(): Promise<AccessStore> {
  connected ??= import("./connect-store.ts").then(({ connectStore }) => connectStore(env));
  return connected;
}

const authorize = authorizerFrom(env, store, createLog(env.POWERTOOLS_SERVICE_NAME));

/**
 * Decides on a request and lets it through together with the decision, which the pipeline renders: the gateway's
 * own refusals cannot carry this interface's bodies.
 */
export async function handler(
  event: APIGatewayRequestAuthorizerEventV2,
): Promise<APIGatewaySimpleAuthorizerWithContextResult<{ decision: string }>> {
  const decision = await authorize({
    method: event.requestContext.http.method,
    rawPath: event.rawPath,
    headers: event.headers ?? {},
    sourceIp: event.requestContext.http.sourceIp,
  });
  return { isAuthorized: true, context: { decision: JSON.stringify(decision) } };
}
