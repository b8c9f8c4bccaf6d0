import type { Handlers } from "../../shared/http/handlers.ts";
import type { componentRoutes } from "../../shared/routes/components.ts";
import { addComponent } from "./add-component.ts";
import { archiveComponent } from "./archive-component.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import { changeDetails } from "./versions/change-details.ts";

type KindRoutes = Pick<
  typeof componentRoutes,
  | "createAgent"
  | "updateAgent"
  | "removeAgent"
  | "createTeam"
  | "updateTeam"
  | "removeTeam"
  | "createWorkflow"
  | "updateWorkflow"
  | "removeWorkflow"
  | "createSkill"
  | "updateSkill"
  | "removeSkill"
>;

/** The component routes once more for one kind: what is of another kind is not found there. */
export const kindHandlers: Handlers<KindRoutes, ComponentsDeps> = {
  createAgent: ({ query, body, principal }, deps) =>
    addComponent(deps, principal, "agent", body, query.force),
  updateAgent: ({ params, query, body, principal }, deps) =>
    changeDetails(deps, principal, params.agent_id, body, { ...query, type: "agent" }),
  removeAgent: ({ params, query, body, principal }, deps) =>
    archiveComponent(deps, principal, params.agent_id, { ...query, guard: body.guard }, "agent"),
  createTeam: ({ query, body, principal }, deps) => addComponent(deps, principal, "team", body, query.force),
  updateTeam: ({ params, query, body, principal }, deps) =>
    changeDetails(deps, principal, params.team_id, body, { ...query, type: "team" }),
  removeTeam: ({ params, query, body, principal }, deps) =>
    archiveComponent(deps, principal, params.team_id, { ...query, guard: body.guard }, "team"),
  createWorkflow: ({ query, body, principal }, deps) =>
    addComponent(deps, principal, "workflow", body, query.force),
  updateWorkflow: ({ params, query, body, principal }, deps) =>
    changeDetails(deps, principal, params.workflow_id, body, { ...query, type: "workflow" }),
  removeWorkflow: ({ params, query, body, principal }, deps) =>
    archiveComponent(deps, principal, params.workflow_id, { ...query, guard: body.guard }, "workflow"),
  createSkill: ({ query, body, principal }, deps) =>
    addComponent(deps, principal, "skill", body, query.force),
  updateSkill: ({ params, query, body, principal }, deps) =>
    changeDetails(deps, principal, params.skill_id, body, { ...query, type: "skill" }),
  removeSkill: ({ params, query, body, principal }, deps) =>
    archiveComponent(deps, principal, params.skill_id, { ...query, guard: body.guard }, "skill"),
};
