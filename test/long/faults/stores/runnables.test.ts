import { kept, live, toComponent } from "../../../support/fault-components.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";

walkStoreFaults("runnables", {
  listAgents: [{ what: "all", prepare: live, send: get(asAdmin, () => "/agents"), status: 200 }],
  getAgent: [
    {
      what: "a stored one",
      prepare: kept({ component_type: "agent" }),
      send: toComponent("GET", undefined, "", "agents"),
      status: 200,
    },
  ],
  listTeams: [{ what: "all", send: get(asAdmin, () => "/teams"), status: 200 }],
  getTeam: [
    {
      what: "a stored one",
      prepare: kept({ component_type: "team" }),
      send: toComponent("GET", undefined, "", "teams"),
      status: 200,
    },
  ],
  listWorkflows: [{ what: "all", send: get(asAdmin, () => "/workflows"), status: 200 }],
  getWorkflow: [
    {
      what: "a stored one",
      prepare: kept({ component_type: "workflow" }),
      send: toComponent("GET", undefined, "", "workflows"),
      status: 200,
    },
  ],
});
