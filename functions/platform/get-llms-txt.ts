import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { platformRoutes } from "../../shared/routes/platform.ts";
import type { PlatformDeps } from "./platform-deps.ts";
import { servedProtocols } from "./served-protocols.ts";

/**
 * What a model that reads this address needs to call the service: where it is described, and which interfaces are on. No component is
 * named: which ones a caller may see depends on its credential.
 *
 * @source https://llmstxt.org
 */
export const getLlmsTxt: Handler<typeof platformRoutes.getLlmsTxt, PlatformDeps> = async (
  { origin = "" },
  { osId, served },
) => {
  const on = servedProtocols(served);
  const link = (name: string, path: string, about: string) => `- [${name}](${origin}${path}): ${about}`;
  const lines = [
    `# ${osId}`,
    "",
    "> Agents, teams and workflows that run over HTTP. Every request but those for the pages below needs `Authorization: Bearer <token>`.",
    "",
    "## Description",
    "",
    link("Interface", "/docs", "every route with its parameters, as a page"),
    link("OpenAPI", "/openapi.json", "the same for programs"),
    link("Instance", "/info", "its version, and which interfaces are on"),
    "",
    "## Interfaces",
    "",
    "- REST: `GET /agents` lists what the credential may read, `POST /agents/{agent_id}/runs` runs one.",
    ...(on.mcp.enabled
      ? [link("MCP", "/mcp/server-card", "`POST /mcp`, streamable HTTP; the tools depend on the credential")]
      : []),
    ...(on.doors.openai
      ? ["- OpenAI: base address `/v1`, with responses, chat completions and models."]
      : []),
    ...(on.doors.chat ? ["- AI SDK, `useChat`: `POST /agents/{agent_id}/chat`."] : []),
    ...(on.doors.agui ? ["- AG-UI: `POST /agents/{agent_id}/agui`."] : []),
    ...(on.doors.a2a
      ? ["- A2A: an agent card for each component below its prefix, which `/openapi.json` has."]
      : []),
  ];
  return new Reply(200, `${lines.join("\n")}\n`, { "cache-control": "public, max-age=300" });
};
