import { expect, test } from "vitest";
import { familiesOf } from "../../lib/api/http-api.ts";
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
