import { expect, test } from "vitest";
import { familiesOf } from "../../lib/api/http-api.ts";
import { viewerCode } from "../../lib/api/viewer-function.ts";
import { readConfig } from "../../lib/config/config.ts";
import { oauthOperations } from "../../shared/routes/protocols/protocol-operations.ts";

const read = (context: Readonly<Record<string, unknown>>) =>
  readConfig((name) => ({ stage: "prod", model: "scripted", ...context })[name]);

/** Operations of sign-in that a deployment serves, and those that name it. */
const served = (context: Readonly<Record<string, unknown>>) => {
  const operations = Object.values(familiesOf(read(context))).flatMap((table) => Object.keys(table));
  return {
    sign_in: oauthOperations.filter((one) => operations.includes(one)).length,
    metadata: operations.includes("getMcpResource"),
  };
};

test("sign-in is served where it is asked for alone, and its metadata where it is not off", () => {
  const builtin = { mcp: "true", mcpAuth: "builtin", publicUrl: "https://agents.example" };
  expect(served({})).toEqual({ sign_in: 0, metadata: false });
  expect(served({ mcp: "true" })).toEqual({ sign_in: 0, metadata: true });
  expect(served({ mcp: "true", mcpAuth: "off" })).toEqual({ sign_in: 0, metadata: false });
  expect(served(builtin)).toEqual({ sign_in: oauthOperations.length, metadata: true });
  expect(served({ stage: "local", mcpAuth: "builtin", mcp: "false" }).sign_in).toBe(0);
});

test.each([
  ["the MCP server", { publicUrl: "https://agents.example" }],
  ["the console", { mcp: "true", publicUrl: "https://agents.example", console: "off" }],
  ["an address that tokens are for", { mcp: "true" }],
])("sign-in without %s is refused", (_, context) => {
  expect(() => read({ mcpAuth: "builtin", ...context })).toThrow("mcpAuth: builtin needs");
});

/** What the edge makes of a request, by the code that is deployed. */
function atTheEdge(
  { method, uri, headers = {} }: { method: string; uri: string; headers?: object },
  settings: Partial<Parameters<typeof viewerCode>[0]> = {},
) {
  const handler = new Function(
    `${viewerCode({ stage: "prod", mcp: "true", mcpAuth: "builtin", ...settings })}; return handler;`,
  )();
  const request = { method, uri, headers: { host: { value: "agents.example" }, ...headers } };
  return handler({ request, viewer: { ip: "203.0.113.9" } });
}

test("the edge answers a call of the MCP server that has no credential with where to sign in", () => {
  const challenged = {
    statusCode: 401,
    headers: {
      "www-authenticate": {
        value: 'Bearer resource_metadata="https://agents.example/.well-known/oauth-protected-resource/mcp"',
      },
    },
  };
  expect(atTheEdge({ method: "POST", uri: "/mcp" })).toMatchObject(challenged);
  expect(atTheEdge({ method: "GET", uri: "/mcp" }, { mcpAuth: "issuer" })).toMatchObject(challenged);
  const authorization = { value: "Bearer apo_x" };
  for (const [request, settings] of [
    [{ method: "POST", uri: "/mcp", headers: { authorization } }, undefined],
    [{ method: "OPTIONS", uri: "/mcp" }, undefined],
    [{ method: "GET", uri: "/mcp/server-card" }, undefined],
    [
      { method: "POST", uri: "/mcp" },
      { mcp: "true", mcpAuth: "off" },
    ],
    [
      { method: "POST", uri: "/mcp" },
      { mcp: "false", mcpAuth: "issuer" },
    ],
  ] as const)
    expect(atTheEdge(request, settings)).toMatchObject({
      uri: request.uri,
      headers: { "x-viewer-address": { value: "203.0.113.9" } },
    });
});
