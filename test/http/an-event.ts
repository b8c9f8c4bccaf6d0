import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Decision } from "../../shared/auth/decision.ts";
import type { HttpOptions } from "../../shared/http/http-options.ts";
import { scopeFields } from "../../shared/runtime/log-scope.ts";

type Parts = {
  query?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** What the authorizer said; any other text stands for something that is no decision. */
  decision?: Decision | string | undefined;
};

/** A request as the HTTP API hands it to a function. A body of bytes travels in base64. */
export function anEvent(request: string, { query = "", headers = {}, body, decision }: Parts = {}) {
  const [method = "", rawPath = ""] = request.split(" ");
  const isBase64Encoded = Buffer.isBuffer(body);
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString: query,
    // The gateway joins repeated keys here; do not rely on it.
    queryStringParameters: { status: "joined,by,the,gateway" },
    headers,
    isBase64Encoded,
    ...(body !== undefined && { body: isBase64Encoded ? body.toString("base64") : String(body) }),
    requestContext: {
      accountId: "1",
      apiId: "api",
      domainName: "api.example",
      domainPrefix: "api",
      requestId: "request-1",
      routeKey: "$default",
      stage: "$default",
      time: "",
      timeEpoch: 0,
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
      ...(decision !== undefined && {
        authorizer: {
          lambda: { decision: typeof decision === "string" ? decision : JSON.stringify(decision) },
        },
      }),
    },
  };
  return event satisfies APIGatewayProxyEventV2;
}

export const allow = (operation: string | null, scopes: string[] = [], admin = false): Decision => ({
  outcome: "allow",
  operation,
  principal: { kind: "user", user_id: "maria", scopes, admin },
});

// Functions read no more of their context than the time that is left.
export const aContext = (remainingMs = 30_000) =>
  ({ getRemainingTimeInMillis: () => remainingMs }) as unknown as Context;

export type Line = { level: "info" | "warn" | "error"; message: string } & Record<string, unknown>;

/** Options of an HTTP API that keeps what was logged. */
export function testHttpOptions(parts: Partial<HttpOptions> = {}): {
  httpOptions: HttpOptions;
  lines: Line[];
} {
  const lines: Line[] = [];
  const at =
    (level: Line["level"]) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      lines.push({ ...scopeFields(), ...fields, level, message });
    };
  const log = { info: at("info"), warn: at("warn"), error: at("error") };
  return {
    httpOptions: { origins: new Set(["https://ui.example"]), maxBodyBytes: 1000, log, ...parts },
    lines,
  };
}

export const bodyOf = (answer: { body?: string | undefined }): unknown => JSON.parse(answer.body ?? "null");
