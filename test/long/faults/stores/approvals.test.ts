import type { RunOutput } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";

const approvalPath = (run: RunOutput, rest = "") => `/approvals/${run.tools?.[0]?.approval_id}${rest}`;

walkStoreFaults("approvals", {
  listApprovals: [
    { what: "all of them", send: get(asAdmin, () => "/approvals"), status: 200 },
    { what: "one user's", send: get(asAdmin, () => "/approvals?user_id=maria"), status: 200 },
  ],
  countApprovals: [{ what: "the pending ones", send: get(asAdmin, () => "/approvals/count"), status: 200 }],
  getApproval: [
    {
      what: "one",
      prepare: ({ undecidedRun }) => undecidedRun(),
      send: get(asAdmin, (run) => approvalPath(run as RunOutput)),
      status: 200,
    },
  ],
  getApprovalStatus: [
    {
      what: "one",
      prepare: ({ undecidedRun }) => undecidedRun(),
      send: get(asAdmin, (run) => approvalPath(run as RunOutput, "/status")),
      status: 200,
    },
  ],
  removeApproval: [
    {
      what: "one",
      prepare: ({ undecidedRun }) => undecidedRun(),
      send: ({ admin }, run) => taken(admin.send("DELETE", approvalPath(run as RunOutput))),
      status: 204,
    },
  ],
});
