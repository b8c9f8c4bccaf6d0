import * as v from "valibot";
import {
  MemoryBody,
  OptimizedMemories,
  OptimizeMemoriesBody,
  RemoveMemoriesBody,
  UserMemory,
  UserMemoryStats,
} from "../schemas/memories/memory.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { optionalText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { only, place, sorting, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const MemoryParams = v.object({ memory_id: idOf("the memory") });

const owned = { user_id, ...place };
const paged = pageQuery(undefined, { firstPage: 0 });

/** @source docs/interface/memories.md 1.2 */
export const memoryRoutes = {
  createMemory: {
    method: "POST",
    path: "/memories",
    scopes: ["memories:write"],
    query: v.object(place),
    body: { json: MemoryBody },
    response: UserMemory,
    example: { body: { memory: "Maria prefers trains to flights.", topics: ["travel"], user_id: "maria" } },
    summary: "Have something remembered of a user",
    description: "Whoever is no admin remembers of itself, whatever user_id says.",
  },
  listMemories: {
    method: "GET",
    path: "/memories",
    scopes: ["memories:read"],
    query: v.object({
      ...owned,
      ...paged,
      agent_id: only(optionalText(), "agent"),
      team_id: only(optionalText(), "team"),
      topics: meaning(
        v.optional(v.array(v.string())),
        "Only those about all of these; separated by commas or given several times",
      ),
      search_content: meaning(optionalText(), "A part of the text, in any case"),
      ...sorting("updated_at"),
    }),
    response: pageOf(UserMemory),
    example: { query: { user_id: "maria", topics: ["travel"] } },
    summary: "List memories, the last changed first",
    description:
      "The default order without filters other than user_id costs the page alone, however many memories there are; anything else reads all of the user's. topics: separated by commas or given several times; all of them must match. At most 1,000 come on one page.",
  },
  removeMemories: {
    method: "DELETE",
    path: "/memories",
    scopes: ["memories:delete"],
    query: v.object(place),
    body: { json: RemoveMemoriesBody },
    status: 204,
    response: null,
    example: { body: { user_id: "maria" } },
    summary: "Forget several memories",
  },
  getMemory: {
    method: "GET",
    path: "/memories/{memory_id}",
    scopes: ["memories:read"],
    params: MemoryParams,
    query: v.object(owned),
    response: UserMemory,
    example: { query: { user_id: "maria" } },
    summary: "Show one memory",
  },
  updateMemory: {
    method: "PATCH",
    path: "/memories/{memory_id}",
    scopes: ["memories:write"],
    params: MemoryParams,
    query: v.object(place),
    body: { json: MemoryBody },
    response: UserMemory,
    example: { body: { memory: "Maria prefers night trains.", topics: ["travel"], user_id: "maria" } },
    summary: "Replace text and topics of a memory",
    description: "Topics that are left out are emptied. The owner never changes.",
  },
  removeMemory: {
    method: "DELETE",
    path: "/memories/{memory_id}",
    scopes: ["memories:delete"],
    params: MemoryParams,
    query: v.object(owned),
    status: 204,
    response: null,
    strangers: 204,
    example: { query: { user_id: "maria" } },
    summary: "Forget one memory",
    description: "Answers the same where there is nothing to forget.",
  },
  listMemoryTopics: {
    method: "GET",
    path: "/memory_topics",
    scopes: ["memories:read"],
    query: v.object(owned),
    response: v.array(v.string()),
    example: { query: { user_id: "maria" } },
    summary: "List what memories are about",
  },
  listUserMemoryStats: {
    method: "GET",
    path: "/user_memory_stats",
    scopes: ["memories:read"],
    query: v.object({ ...owned, ...paged }),
    response: pageOf(UserMemoryStats),
    summary: "List who has memories and how many, the latest change first",
  },
  optimizeMemories: {
    method: "POST",
    path: "/optimize-memories",
    scopes: ["memories:write"],
    query: v.object(place),
    body: { json: OptimizeMemoriesBody },
    response: OptimizedMemories,
    refuses: [409, 503],
    example: { body: { user_id: "maria", apply: false } },
    summary: "Have a model merge a user's memories into one",
    description:
      "With apply: false nothing is stored. A merged memory that is not shorter than the memories it comes from takes the place of none.",
  },
} as const satisfies RouteTable;
