import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

/** A user who is unknown stands where a session would: nothing refreshes its figures meanwhile. */
const acceptedRun = async ({ past }: FaultWorld): Promise<AcceptedRun> => ({
  ...past,
  session_id: crypto.randomUUID(),
});
const pathOf =
  (path: string) =>
  ({ session_id }: AcceptedRun) =>
    `${path}?user_id=${session_id}`;
/** The same with figures that are too young to be refreshed by a reader. */
const refreshed = async (world: FaultWorld): Promise<AcceptedRun> => {
  const one = await acceptedRun(world);
  await world.admin.post(pathOf("/metrics/refresh")(one));
  return one;
};

walkStoreFaults(
  "metrics",
  {
    getMetrics: [
      { what: "just refreshed", prepare: refreshed, send: get(asAdmin, pathOf("/metrics")), status: 200 },
    ],
    refreshMetrics: [
      {
        what: "for the first time",
        prepare: acceptedRun,
        send: ({ admin }, one) => taken(admin.send("POST", pathOf("/metrics/refresh")(one))),
        status: 200,
      },
    ],
    getRefreshStatus: [
      {
        what: "of one",
        prepare: refreshed,
        send: get(asAdmin, pathOf("/metrics/refresh/status")),
        status: 200,
      },
    ],
  },
  "own world",
);
