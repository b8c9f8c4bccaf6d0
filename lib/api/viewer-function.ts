import { Aws } from "aws-cdk-lib";
import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import { MCP_PATH, MCP_RESOURCE_PATH } from "../../shared/routes/protocols/mcp-path.ts";
import { bodyTooLarge, MAX_BODY_BYTES } from "../../shared/runtime/body-limit.ts";
import { EDGE_HOST_HEADER, EDGE_VIEWER_HEADER } from "../../shared/runtime/edge-secret.ts";
import type { AppConfig } from "../config/config.ts";

/**
 * Sees every request before it goes on. It passes to the origins the host that the client asked for, because agent cards name
 * it: they accept their own host name alone, and the distribution's is not known before it is made, so no setting of a
 * function can hold it. The same goes for the address of the client, which the origins would otherwise see as CloudFront's.
 * It refuses bodies that Lambda would not take, in this interface's own words. And it leads
 * `/console/` to the page, since no route of an HTTP API matches a path that ends with a slash.
 *
 * A call of the MCP server without a credential is answered here: AWS gives the header by which clients find the sign-in another name,
 * wherever a function behind its API Gateway or at an address of its own sets it.
 */
export function createViewerFunction(scope: Construct, config: AppConfig): EdgeFunction {
  return new EdgeFunction(scope, "EdgeViewer", {
    // Such functions have no region; a stage may be deployed in several.
    functionName: `agent-platform-${config.stage}-viewer-${Aws.REGION}`,
    comment:
      "Passes on the client's address and the host it asked for, and refuses bodies that are too large",
    code: FunctionCode.fromInline(viewerCode(config)),
    runtime: FunctionRuntime.JS_2_0,
  });
}

/** What runs at the edge, whose language is an old one. */
export const viewerCode = (config: Signed): string => `var LIMIT = ${MAX_BODY_BYTES};
var DETAIL = ${JSON.stringify(bodyTooLarge(MAX_BODY_BYTES, "/"))};
var KNOWLEDGE_DETAIL = ${JSON.stringify(bodyTooLarge(MAX_BODY_BYTES, "/knowledge/content"))};
function handler(event) {
  var request = event.request;
  if (request.uri === "${PAGE_PATH}/") {
    return {
      statusCode: 308,
      statusDescription: "Permanent Redirect",
      headers: { location: { value: "${PAGE_PATH}" } },
      body: { encoding: "text", data: "" },
    };
  }
${challenges(config) ? CHALLENGE : ""}  var length = request.headers["content-length"];
  if (length && Number(length.value) > LIMIT) {
    var detail = request.uri.indexOf("/knowledge/") === 0 ? KNOWLEDGE_DETAIL : DETAIL;
    return {
      statusCode: 413,
      statusDescription: "Content Too Large",
      headers: { "content-type": { value: "application/json" } },
      body: { encoding: "text", data: JSON.stringify({ detail: detail, error_code: "PAYLOAD_TOO_LARGE" }) },
    };
  }
  request.headers["${EDGE_VIEWER_HEADER}"] = { value: event.viewer.ip };
  request.headers["${EDGE_HOST_HEADER}"] = { value: request.headers.host.value };
  return request;
}`;

type Signed = Pick<AppConfig, "stage" | "mcp" | "mcpAuth">;

/** On one machine nothing renames the header, and addresses are not https. */
const challenges = ({ stage, mcp, mcpAuth }: Signed): boolean =>
  stage !== "local" && mcp === "true" && mcpAuth !== "off";

/** @source docs/interface/oauth.md 1.6; RFC 9728, section 5.1 */
const CHALLENGE = `  if (request.uri === "${MCP_PATH}" && request.method !== "OPTIONS" && !request.headers.authorization) {
    var metadata = "https://" + request.headers.host.value + "${MCP_RESOURCE_PATH}${MCP_PATH}";
    return {
      statusCode: 401,
      statusDescription: "Unauthorized",
      headers: {
        "content-type": { value: "application/json" },
        "www-authenticate": { value: 'Bearer resource_metadata="' + metadata + '"' },
        "access-control-allow-origin": { value: "*" },
        "access-control-expose-headers": { value: "WWW-Authenticate" },
      },
      body: { encoding: "text", data: JSON.stringify(${JSON.stringify({ detail: "Authorization header is missing", error_code: "UNAUTHENTICATED" })}) },
    };
  }
`;
