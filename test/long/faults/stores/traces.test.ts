import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";

walkStoreFaults("traces", {
  listTraces: [
    { what: "everybody's", send: get(asAdmin, () => "/traces"), status: 200 },
    { what: "a session's", send: get(asAdmin, () => "/traces?session_id=unknown"), status: 200 },
  ],
  getTraceFilterSchema: "reaches no store",
  getTrace: [{ what: "an unknown one", send: get(asAdmin, () => "/traces/unknown"), status: 404 }],
  listTraceSessionStats: [{ what: "all", send: get(asAdmin, () => "/trace_session_stats"), status: 200 }],
  searchTraces: [
    {
      what: "all",
      send: ({ admin }) => taken(admin.send("POST", "/traces/search", { json: {} })),
      status: 200,
    },
  ],
});
