import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

let accounts = 0;
const mint = ({ admin }: FaultWorld) => {
  accounts += 1;
  return taken(admin.send("POST", "/service-accounts", { json: { name: `account-${accounts}` } }));
};
/** A fresh account, whose id stands where a run's would. */
const account = async (world: FaultWorld): Promise<AcceptedRun> => {
  const answer = await mint(world);
  if (answer.status !== 201) throw new Error("the account was not minted");
  return { ...world.past, run_id: answer.json.id };
};

walkStoreFaults("service-accounts", {
  mintServiceAccount: [{ what: "a new name", send: mint, status: 201 }],
  listServiceAccounts: [{ what: "all", send: get(asAdmin, () => "/service-accounts"), status: 200 }],
  revokeServiceAccount: [
    {
      what: "a live account",
      prepare: account,
      send: ({ admin }, { run_id }) => taken(admin.send("DELETE", `/service-accounts/${run_id}`)),
      status: 204,
    },
  ],
});
