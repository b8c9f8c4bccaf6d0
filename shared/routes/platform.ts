import * as v from "valibot";
import { meaning } from "../schemas/values/described-as.ts";
import { booleanText } from "../schemas/values/fields.ts";
import type { RouteTable } from "./route.ts";

/** Served without a credential. @source docs/interface/access.md 1.2 */
export const platformRoutes = {
  getRoot: {
    method: "GET",
    path: "/",
    scopes: "public",
    response: v.object({
      name: v.string(),
      id: v.string(),
      version: v.string(),
      health: v.string(),
      info: v.string(),
      docs: v.string(),
    }),
    summary: "Name the service and where to go on",
  },
  getHealth: {
    method: "GET",
    path: "/health",
    scopes: "public",
    query: v.object({
      deep: meaning(
        v.optional(booleanText()),
        "Also whether the authorizer, every table and the queue answer; 503 names what does not",
      ),
    }),
    response: v.object({ status: v.literal("ok"), instantiated_at: v.string() }),
    summary: "Check that the service answers",
  },
  getInfo: {
    method: "GET",
    path: "/info",
    scopes: "public",
    response: v.object({
      os_id: v.string(),
      name: v.nullable(v.string()),
      agno_version: v.string(),
      os_version: v.string(),
      agent_count: v.number(),
      team_count: v.number(),
      workflow_count: v.number(),
      mcp: v.object({ enabled: v.boolean(), path: v.nullable(v.string()), oauth: v.boolean() }),
      /** Ours: interfaces for other systems' clients, as they are served. */
      doors: v.object({ agui: v.boolean(), openai: v.boolean(), chat: v.boolean(), a2a: v.boolean() }),
      auth_mode: v.picklist(["none", "security_key", "jwt"]),
    }),
    summary: "Describe this instance",
  },
  getOpenApi: {
    method: "GET",
    path: "/openapi.json",
    scopes: "public",
    response: v.record(v.string(), v.unknown()),
    summary: "The interface description (OpenAPI 3.1)",
  },
  getLlmsTxt: {
    method: "GET",
    path: "/llms.txt",
    scopes: "public",
    response: { mediaType: "text/plain; charset=utf-8" },
    summary: "Where a model finds what the service is, and which interfaces are on",
  },
  getFavicon: {
    method: "GET",
    path: "/favicon.ico",
    scopes: "public",
    response: { mediaType: "image/svg+xml" },
    summary: "The icon that browsers ask for beside a page",
  },
  getDocs: {
    method: "GET",
    path: "/docs",
    scopes: "public",
    response: { mediaType: "text/html; charset=utf-8" },
    summary: "The interface description as a page",
  },
} as const satisfies RouteTable;
