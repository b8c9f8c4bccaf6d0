import {
  component,
  created,
  live,
  removed,
  stored,
  toComponent,
  updated,
} from "../../../support/fault-components.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";

const withMember = {
  links: [{ link_kind: "member", link_key: "m", child_component_id: "elsewhere", child_version: 1 }],
};

walkStoreFaults("components", {
  listComponents: [{ what: "one page", send: get(asAdmin, () => "/components"), status: 200 }],
  createComponent: [
    {
      what: "a team",
      send: (world) => component(world, { component_type: "team", ...withMember }),
      status: 201,
    },
  ],
  getComponent: [{ what: "one", prepare: stored, send: toComponent("GET"), status: 200 }],
  updateComponent: [
    { what: "its name", prepare: stored, send: toComponent("PATCH", { name: "n" }), status: 200 },
    {
      what: "its live version",
      prepare: live,
      send: toComponent("PATCH", { current_version: 1 }),
      status: 200,
    },
  ],
  removeComponent: [{ what: "one", prepare: stored, send: toComponent("DELETE"), status: 204 }],
  restoreComponent: [
    {
      what: "one",
      prepare: async (world) => {
        const made = await stored(world);
        await toComponent("DELETE")(world, made);
        return made;
      },
      send: toComponent("POST", undefined, "/restore"),
      status: 200,
    },
  ],
  listConfigVersions: [
    {
      what: "one component's",
      prepare: stored,
      send: toComponent("GET", undefined, "/configs"),
      status: 200,
    },
  ],
  createConfigVersion: [
    {
      what: "a published one, with a label",
      prepare: stored,
      send: toComponent("POST", { config: {}, stage: "published", label: "new" }, "/configs"),
      status: 201,
    },
  ],
  getCurrentConfigVersion: [
    {
      what: "a draft",
      prepare: stored,
      send: toComponent("GET", undefined, "/configs/current"),
      status: 200,
    },
    {
      what: "a live one",
      prepare: live,
      send: toComponent("GET", undefined, "/configs/current"),
      status: 200,
    },
  ],
  checkConfigVersion: [
    { what: "one", prepare: stored, send: toComponent("POST", undefined, "/configs/1/check"), status: 200 },
  ],
  getConfigVersion: [
    { what: "one", prepare: stored, send: toComponent("GET", undefined, "/configs/1"), status: 200 },
  ],
  updateConfigVersion: [
    {
      what: "published",
      prepare: stored,
      send: toComponent("PATCH", { stage: "published" }, "/configs/1"),
      status: 200,
    },
  ],
  removeConfigVersion: [
    {
      what: "a draft of several",
      prepare: async (world) => {
        const made = await stored(world);
        await toComponent("POST", { config: {} }, "/configs")(world, made);
        return made;
      },
      send: toComponent("DELETE", undefined, "/configs/1"),
      status: 204,
    },
  ],
  setCurrentConfigVersion: [
    { what: "one", prepare: live, send: toComponent("POST", {}, "/configs/1/set-current"), status: 200 },
  ],
  createAgent: [created("agent")],
  updateAgent: [updated("agent")],
  removeAgent: [removed("agent")],
  createTeam: [created("team")],
  updateTeam: [updated("team")],
  removeTeam: [removed("team")],
  createWorkflow: [created("workflow")],
  updateWorkflow: [updated("workflow")],
  removeWorkflow: [removed("workflow")],
  createSkill: [created("skill")],
  updateSkill: [updated("skill")],
  removeSkill: [removed("skill")],
});
