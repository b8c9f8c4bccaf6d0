import { describe, expect, test } from "vitest";
import { getInfo } from "../../functions/platform/get-info.ts";
import { getLlmsTxt } from "../../functions/platform/get-llms-txt.ts";
import type { PlatformDeps } from "../../functions/platform/platform-deps.ts";
import { getMcpServerCard } from "../../functions/runs/mcp/get-server-card.ts";
import { Reply } from "../../shared/http/handler.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import { type Interfaces, servedFamilies } from "../../shared/routes/served.ts";
import { registry } from "../support/registry/index.ts";

const allOn: Interfaces = {
  ...{ A2A_ENABLED: "true", A2A_PREFIX: "/a2a", AGUI_ENABLED: "true", UI_CHAT_ENABLED: "true" },
  ...{ MCP_ENABLED: "true", OPENAI_ENABLED: "true", MCP_AUTH: "builtin" },
};
const origin = "https://agents.example.com";
const depsOf = (interfaces: Interfaces) =>
  ({ osId: "shop-os", version: "1.0.0", served: servedFamilies(interfaces), registry }) as PlatformDeps;
const request = { origin, headers: {}, query: {}, params: {} } as never;

const paths: Readonly<Record<string, string>> = {
  A2A_ENABLED: "/a2a/cards",
  AGUI_ENABLED: "/status",
  MCP_ENABLED: "/mcp/server-card",
  OPENAI_ENABLED: "/v1/models",
  UI_CHAT_ENABLED: "/agents/one/chat/1",
};
const textOf = async (interfaces: Interfaces) => {
  const answer = await getLlmsTxt(request, depsOf(interfaces));
  if (!(answer instanceof Reply)) throw new Error("it has no headers");
  return String(answer.body);
};

describe("what an instance says of its interfaces", () => {
  test.each(Object.entries(paths))("is what it serves, with %s on and off", async (name, path) => {
    for (const value of ["true", "false"] as const) {
      const deps = depsOf({ ...allOn, [name]: value });
      const isServed = createMatcher(deps.served)("GET", path) !== undefined;
      expect(isServed).toBe(value === "true");
      const info = await getInfo(request, deps);
      if (info instanceof Reply || !("mcp" in info)) throw new Error("it is no plain answer");
      const { mcp } = info;
      const said = {
        A2A_ENABLED: info.doors.a2a,
        AGUI_ENABLED: info.doors.agui,
        MCP_ENABLED: mcp.enabled,
        OPENAI_ENABLED: info.doors.openai,
        UI_CHAT_ENABLED: info.doors.chat,
      };
      expect(said).toEqual({
        ...{ A2A_ENABLED: true, AGUI_ENABLED: true, MCP_ENABLED: true, OPENAI_ENABLED: true },
        UI_CHAT_ENABLED: true,
        [name]: isServed,
      });
      expect(mcp).toEqual({
        enabled: said.MCP_ENABLED,
        path: said.MCP_ENABLED ? "/mcp" : null,
        oauth: said.MCP_ENABLED,
      });
    }
  });

  test.each(["builtin", "issuer", "off"] as const)("is the sign-in that it serves: %s", async (MCP_AUTH) => {
    const deps = depsOf({ ...allOn, MCP_AUTH });
    const info = await getInfo(request, deps);
    if (info instanceof Reply || !("mcp" in info)) throw new Error("it is no plain answer");
    const isServed = (path: string) => createMatcher(deps.served)("GET", path) !== undefined;
    expect(info.mcp).toEqual({ enabled: true, path: "/mcp", oauth: isServed("/oauth/authorize") });
    expect({
      oauth: info.mcp.oauth,
      metadata: isServed("/.well-known/oauth-protected-resource/mcp"),
    }).toEqual({ oauth: MCP_AUTH === "builtin", metadata: MCP_AUTH !== "off" });
  });

  test("is in llms.txt as links to pages that everybody may read, without a component", async () => {
    const { served } = depsOf(allOn);
    const text = await textOf(allOn);
    const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, url = ""]) => url);
    expect(links).toHaveLength(4);
    for (const url of links) {
      expect(url.startsWith(origin)).toBe(true);
      const found = createMatcher(served)("GET", url.slice(origin.length));
      expect(JSON.stringify(found)).toContain('"scopes":"public"');
    }
    expect(text).toMatch(/^# shop-os\n\n> /);
    for (const { id } of [...registry.agents, ...registry.teams, ...registry.workflows])
      expect(text).not.toContain(id);
    const closed = Object.fromEntries(Object.keys(paths).map((name) => [name, "false"]));
    expect(await textOf({ ...allOn, ...closed })).not.toMatch(/MCP|OpenAI:|AG-UI|AI SDK|A2A/);
  });

  test("is a server card without tools, of the type that is asked for", async () => {
    const cardFor = async (accept?: string, publicUrl?: string) =>
      getMcpServerCard({ origin, headers: accept === undefined ? {} : { accept } }, {
        mcp: { publicUrl, osId: "Shop OS" },
      } as never);
    const { body, headers } = await cardFor("application/json");
    expect(headers).toMatchObject({ "content-type": "application/mcp-server-card+json" });
    const card = JSON.parse(String(body));
    expect(card).toMatchObject({
      ...{ name: "com.example.agents/shop-os", title: "Shop OS" },
      remotes: [{ type: "streamable-http", url: `${origin}/mcp` }],
    });
    expect(Object.keys(card).sort()).toEqual([
      ...["$schema", "description", "name", "remotes", "title", "version"],
    ]);
    expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(card.description.length).toBeLessThanOrEqual(100);
    const earlier = await cardFor("application/mcp-server+json");
    expect(earlier.headers).toMatchObject({ "content-type": "application/mcp-server+json" });
    const local = await cardFor(undefined, "http://127.0.0.1:7777");
    expect(JSON.parse(String(local.body)).name).toBe("local/shop-os");
  });
});
