import * as v from "valibot";
import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { listRunnables } from "../../../shared/runnables/index.ts";
import type { Component } from "../../../shared/runs/index.ts";
import { EVERYBODY, noteOwner } from "../../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { meaning } from "../../../shared/schemas/values/described-as.ts";
import { listSessions } from "../../../shared/stores/sessions/list-sessions.ts";
import type { McpDeps, ToolCall } from "./mcp-deps.ts";

const Listed = v.object({
  id: v.string(),
  name: v.nullish(v.string()),
  description: v.nullish(v.string()),
});

export const ComponentsResult = v.object({
  components: v.array(v.object({ id: v.string(), name: v.string(), description: v.optional(v.string()) })),
});

/** The components of a kind that a caller may read. */
export async function listComponents(
  kind: Component["kind"],
  { principal }: ToolCall,
  deps: McpDeps,
): Promise<v.InferOutput<typeof ComponentsResult>> {
  const needs = { db: deps.db, registry: deps.mcp.registry, models: deps.models };
  const listed = await listRunnables[kind](principal, needs);
  const components = v.parse(v.array(Listed), listed).map(({ id, name, description }) => ({
    id,
    name: name ?? id,
    ...(description && { description }),
  }));
  return { components };
}

export const SessionsArguments = v.object({
  page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20),
});

export const SessionsResult = v.object({
  sessions: v.array(
    v.object({
      session_id: v.string(),
      name: v.string(),
      component_type: v.string(),
      component_id: v.optional(v.string()),
      /** Epoch seconds. */
      updated_at: v.number(),
    }),
  ),
  total: v.number(),
});

/** The caller's sessions, the newest first; an admin gets everybody's. */
export async function listOwnSessions(
  { page, limit }: v.InferOutput<typeof SessionsArguments>,
  { principal }: Pick<ToolCall, "principal">,
  { db, clock }: Pick<McpDeps, "db" | "clock">,
): Promise<v.InferOutput<typeof SessionsResult>> {
  const caller = callerOf(principal);
  const owner = caller.seesAll ? undefined : caller.user_id;
  noteOwner(owner ?? EVERYBODY);
  const filter = {
    owner,
    ...{ type: undefined, component_id: undefined, session_name: undefined },
    ...{ page, limit, sort_by: "created_at" as const, sort_order: "desc" as const },
  };
  const { sessions, total } = await listSessions(db, filter, epochSeconds(clock));
  return {
    sessions: sessions.map((session) => ({
      session_id: session.session_id,
      name: session.session_name ?? session.derived_name ?? session.session_id,
      component_type: session.session_type,
      ...(session.component_id !== undefined && { component_id: session.component_id }),
      updated_at: session.updated_at,
    })),
    total,
  };
}

export const SearchArguments = v.object({
  query: v.pipe(v.string(), v.nonEmpty()),
  knowledge_base: meaning(v.optional(v.string()), "Name of the knowledge base; the first one without it"),
});

export const SearchResult = v.object({
  documents: v.array(
    v.object({
      content: v.string(),
      name: v.optional(v.string()),
      meta_data: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});

/** What of a knowledge base is nearest to a question: of the caller's own content and of what is shared. */
export async function searchFor(
  { query, knowledge_base }: v.InferOutput<typeof SearchArguments>,
  { principal }: ToolCall,
  { mcp, searchKnowledge }: McpDeps,
): Promise<v.InferOutput<typeof SearchResult>> {
  const [first = ""] = mcp.knowledge;
  const base = knowledge_base ?? first;
  if (!searchKnowledge || !mcp.knowledge.includes(base)) throw notFound("knowledge base", base);
  const { user_id } = callerOf(principal);
  const everything = { op: "AND" as const, conditions: [] };
  const found = await searchKnowledge({ base, query, filter: everything, chosen: {}, user_id });
  return v.parse(SearchResult, { documents: found });
}
