import { leaseOf } from "../../../work/lease.ts";
import { wakeUps } from "../../../work/wake-ups.ts";
import { refOfKeys, scheduleRunDue } from "./run-keys.ts";

/**
 * An attempt of a schedule. Its claim and all its other writes are moves of the table of transitions; what makes a late
 * writer harmless is the revision that it has read. A process that starts a call leases the attempt for longer than any call
 * and the writes around it.
 */
export const scheduleRunWork = {
  ...leaseOf({
    ...{ holder: "revision", time: "due_at", stores: "end", releasedAs: undefined },
    ...{ seconds: 90, renewals: 0, settlingSeconds: 0 },
  }),
  ...wakeUps({
    kind: "schedule run",
    due: scheduleRunDue,
    message: ({ pk, sk }) => refOfKeys(String(pk), String(sk)),
  }),
};
