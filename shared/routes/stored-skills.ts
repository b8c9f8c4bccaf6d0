import * as v from "valibot";
import {
  CreateRunnableBody,
  GuardBody,
  UpdateComponentBody,
} from "../schemas/components/component-bodies.ts";
import { ForceQuery, RemoveQuery } from "../schemas/components/component-queries.ts";
import { CheckedComponent } from "../schemas/components/config-check.ts";
import { SkillResponse } from "../schemas/components/skill.ts";
import { idEntry } from "../schemas/values/path-ids.ts";
import type { RouteTable } from "./route.ts";

/** The component routes for skills, and what there is to be read of one. @source docs/interface/components.md 1.5 */
export const storedSkillRoutes = {
  listSkills: {
    method: "GET",
    path: "/skills",
    scopes: ["skills:read"],
    response: v.array(SkillResponse),
    summary: "List the stored skills the caller may read, the newest first",
  },
  getSkill: {
    method: "GET",
    path: "/skills/{skill_id}",
    scopes: ["skills:read"],
    params: v.object(idEntry("skill")),
    response: SkillResponse,
    summary: "Show one stored skill and the names of its files",
  },
  createSkill: {
    method: "POST",
    path: "/skills",
    scopes: ["skills:write"],
    query: ForceQuery,
    body: { json: CreateRunnableBody },
    status: 201,
    response: CheckedComponent,
    refuses: [400, 404, 409, 422],
    example: {
      body: {
        component_id: "returns-skill",
        name: "Returns",
        description: "How goods come back.",
        config: {
          name: "returns",
          files: {
            "SKILL.md":
              "---\nname: returns\ndescription: How goods come back.\n---\nRead references/limits.md.",
            "references/limits.md": "Thirty days.",
          },
        },
        label: "first",
        stage: "published",
      },
    },
    summary: "Create a stored skill with its first version",
  },
  updateSkill: {
    method: "PATCH",
    path: "/skills/{skill_id}",
    scopes: ["skills:write"],
    params: v.object(idEntry("skill")),
    query: ForceQuery,
    body: { json: UpdateComponentBody },
    response: CheckedComponent,
    refuses: [400, 409, 422],
    strangers: 404,
    example: { body: { name: "Returns" } },
    summary: "Change a stored skill, as PATCH /components/{component_id} does",
  },
  removeSkill: {
    method: "DELETE",
    path: "/skills/{skill_id}",
    scopes: ["skills:delete"],
    params: v.object(idEntry("skill")),
    query: RemoveQuery,
    body: { json: GuardBody },
    status: 204,
    response: null,
    refuses: [400, 409],
    strangers: 404,
    summary: "Archive a stored skill",
  },
} as const satisfies RouteTable;
