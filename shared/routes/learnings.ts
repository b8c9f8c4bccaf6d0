import * as v from "valibot";
import {
  CreateLearningBody,
  Learning,
  LearningUser,
  UpdateLearningBody,
} from "../schemas/memories/learning.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { KeyText, OptionalKeyText } from "../schemas/values/key-text.ts";
import { pageOf, pageQuery, SortOrder } from "../schemas/values/page.ts";
import type { RouteTable } from "./route.ts";

const MAX_LIMIT = 1000;

const LearningParams = v.object({ learning_id: v.string() });
const UserParams = v.object({ user_id: KeyText });

/** Which database is meant; there is one. */
const place = { db_id: optionalText(), table: optionalText() };

/** @source contract, memories-and-learnings 3.2 */
export const learningRoutes = {
  listLearnings: {
    method: "GET",
    path: "/learnings",
    scopes: ["learnings:read"],
    query: v.object({
      learning_type: optionalText(),
      user_id: OptionalKeyText,
      agent_id: optionalText(),
      team_id: optionalText(),
      session_id: optionalText(),
      namespace: optionalText(),
      entity_id: optionalText(),
      entity_type: optionalText(),
      ...pageQuery(MAX_LIMIT),
      limit: v.optional(integerText({ min: 1, max: MAX_LIMIT }), "100"),
      sort_by: v.optional(v.string(), "updated_at"),
      sort_order: v.optional(SortOrder, "desc"),
      ...place,
    }),
    response: pageOf(Learning),
    summary: "List learnings, the last changed first",
    description:
      "Whoever is no admin sees its own and those that belong to nobody. The default order without filters other than user_id costs the page alone.",
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
    summary: "Record something that was learned",
    description:
      "Of user_profile, user_memory, session_context and entity_memory there is one record for what it is about, which agents use too; a second one is a conflict.",
  },
  listLearningUsers: {
    method: "GET",
    path: "/learnings/users",
    scopes: ["learnings:read"],
    query: v.object({
      learning_type: optionalText(),
      user_id: OptionalKeyText,
      ...pageQuery(MAX_LIMIT),
      sort_by: v.optional(v.string(), "last_learning_updated_at"),
      sort_order: v.optional(SortOrder, "desc"),
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
    query: v.object({ learning_type: optionalText(), ...place }),
    status: 204,
    response: null,
    summary: "Delete what was learned about a user, or one type of it",
    description: "Answers the same where there is nothing to delete. What belongs to nobody stays.",
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
