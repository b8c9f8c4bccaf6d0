import type { componentRoutes } from "../../routes/components.ts";
import type { Component, ConfigVersion } from "../../schemas/components/component.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";

const config = { name: "Returns desk", instructions: "Ask for the order number first." };

const component: Component = {
  component_id: "returns-desk",
  component_type: "agent",
  name: "Returns desk",
  description: "Takes goods back.",
  current_version: 1,
  user_id: "maria",
  created_at: 1772615700,
};
const published: ConfigVersion = {
  component_id: "returns-desk",
  version: 1,
  label: "first",
  stage: "published",
  config,
  created_at: 1772615700,
};
const draft: ConfigVersion = { ...published, version: 2, label: "shorter", stage: "draft" };
const guard = { guard: { current_version: 1 } };

const first = {
  component_id: "returns-desk",
  name: "Returns desk",
  description: "Takes goods back.",
  config,
  label: "first",
  stage: "published",
};
const renamed = { body: { name: "Returns", ...guard }, answer: { ...component, name: "Returns" } };

/** The same for one kind of runnable. */
const forKind = (component_type: Component["component_type"]) => {
  const component_id = `greeting-${component_type}`;
  const path = { [`${component_type}_id`]: component_id };
  const shown = { ...component, component_id, component_type };
  return {
    create: { body: { ...first, component_id }, answer: shown },
    update: { path, body: renamed.body, answer: { ...shown, name: "Returns" } },
    remove: { path, body: guard },
  };
};
const agents = forKind("agent");
const teams = forKind("team");
const workflows = forKind("workflow");

export const componentExamples: ExamplesOf<typeof componentRoutes> = {
  listComponents: { query: { component_type: "agent" }, answer: pageWith(component) },
  createComponent: { body: { ...first, component_type: "agent" }, answer: component },
  getComponent: { answer: component },
  updateComponent: renamed,
  removeComponent: { query: { expected_current_version: 1 } },
  restoreComponent: { answer: component },
  listConfigVersions: { answer: [draft, published] },
  createConfigVersion: { body: { config, label: "shorter", stage: "draft" }, answer: draft },
  getCurrentConfigVersion: { answer: published },
  getConfigVersion: { answer: draft },
  updateConfigVersion: { body: { stage: "published" }, answer: { ...draft, stage: "published" } },
  removeConfigVersion: {},
  checkConfigVersion: {
    answer: {
      ok: false,
      faults: [
        { path: "tools[0]", message: "tool look_up_order is not registered", error_code: "NOT_FOUND" },
      ],
      warnings: [
        {
          path: "instruction",
          message: "instruction is unknown and ignored; the nearest key is instructions",
        },
      ],
    },
  },
  setCurrentConfigVersion: { body: guard, answer: { ...component, current_version: 2 } },
  createAgent: agents.create,
  updateAgent: agents.update,
  removeAgent: agents.remove,
  createTeam: teams.create,
  updateTeam: teams.update,
  removeTeam: teams.remove,
  createWorkflow: workflows.create,
  updateWorkflow: workflows.update,
  removeWorkflow: workflows.remove,
};
