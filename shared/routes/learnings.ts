import * as v from "valibot";
import {
  CreateLearningBody,
  Learning,
  LearningUser,
  UpdateLearningBody,
} from "../schemas/memories/learning.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { optionalText } from "../schemas/values/fields.ts";
import { KeyText } from "../schemas/values/key-text.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { only, place, sorting, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const MAX_LIMIT = 1000;

const LearningParams = v.object({ learning_id: idOf("the learning") });
const UserParams = v.object({ user_id: meaning(KeyText, "Id of the user") });

const learning_type = meaning(optionalText(), "Only of this type");

/** @source docs/interface/learnings.md 1.2 */
export const learningRoutes = {
  listLearnings: {
    method: "GET",
    path: "/learnings",
    scopes: ["learnings:read"],
    query: v.object({
      learning_type,
      user_id,
      agent_id: only(optionalText(), "agent"),
      team_id: only(optionalText(), "team"),
      session_id: only(optionalText(), "session"),
      namespace: only(optionalText(), "namespace"),
      entity_id: meaning(optionalText(), "Only about the entity with this id"),
      entity_type: meaning(optionalText(), "Only about entities of this type"),
      ...pageQuery(MAX_LIMIT, { limit: "100" }),
      ...sorting("updated_at"),
      ...place,
    }),
    response: pageOf(Learning),
    example: { query: { learning_type: "learned_knowledge", agent_id: "assistant" } },
    summary: "List learnings, the last changed first",
    description:
      "A caller without the admin scope sees its own and those without an owner. The default order without filters other than user_id costs the page alone.",
  },
  createLearning: {
    method: "POST",
    path: "/learnings",
    scopes: ["learnings:write"],
    query: v.object(place),
    body: { json: CreateLearningBody },
    status: 201,
    response: Learning,
    refuses: [409],
    example: {
      body: {
        learning_type: "learned_knowledge",
        user_id: "maria",
        namespace: "global",
        agent_id: "assistant",
        content: { title: "Refunds", learning: "Ask for the order number first." },
      },
    },
    summary: "Record something that was learned",
    description:
      "Of user_profile, user_memory, session_context and entity_memory there is one record for what it is about, which agents use too; a second one is a conflict.",
  },
  listLearningUsers: {
    method: "GET",
    path: "/learnings/users",
    scopes: ["learnings:read"],
    query: v.object({
      learning_type,
      user_id,
      ...pageQuery(MAX_LIMIT),
      ...sorting("last_learning_updated_at"),
      ...place,
    }),
    response: pageOf(LearningUser),
    summary: "List the users that something was learned about",
  },
  removeUserLearnings: {
    method: "DELETE",
    path: "/learnings/users/{user_id}",
    scopes: ["learnings:delete"],
    params: UserParams,
    query: v.object({ learning_type, ...place }),
    status: 204,
    response: null,
    strangers: 403,
    example: { query: { learning_type: "learned_knowledge" } },
    summary: "Delete what was learned about a user, or one type of it",
    description: "Answers the same where there is nothing to delete. Learnings without an owner stay.",
  },
  getLearning: {
    method: "GET",
    path: "/learnings/{learning_id}",
    scopes: ["learnings:read"],
    params: LearningParams,
    query: v.object(place),
    response: Learning,
    summary: "Show one learning",
  },
  updateLearning: {
    method: "PATCH",
    path: "/learnings/{learning_id}",
    scopes: ["learnings:write"],
    params: LearningParams,
    query: v.object(place),
    body: { json: UpdateLearningBody },
    response: Learning,
    example: { body: { metadata: { checked_by: "otto" } } },
    summary: "Replace content or metadata of a learning",
  },
  removeLearning: {
    method: "DELETE",
    path: "/learnings/{learning_id}",
    scopes: ["learnings:delete"],
    params: LearningParams,
    query: v.object(place),
    status: 204,
    response: null,
    summary: "Delete a learning",
  },
} as const satisfies RouteTable;
