import { present } from "../../../data/guard.ts";
import { defineWork } from "../../../work/define-work.ts";
import { scheduleRunFrom } from "./run-item.ts";
import { refOfKeys, scheduleRunDue, scheduleRunKey } from "./run-keys.ts";

/**
 * An attempt of a schedule. Its writes are moves of a table of transitions (`run-update.ts`); what makes a late writer
 * harmless is the revision that it has read. A process that starts a call leases the attempt for longer than any call and
 * the writes around it.
 */
export const scheduleRunWork = defineWork({
  kind: "schedule run",
  table: "schedules",
  keyOf: scheduleRunKey,
  read: scheduleRunFrom,
  open: { stage: present },
  lease: {
    ...{ holder: "revision", isRevision: true, time: "due_at" },
    ...{ seconds: 90, renewals: 0, settlingSeconds: 0 },
  },
  // A retry is an attempt of its own.
  retry: { stallsOf: () => 0, most: 0 },
  due: scheduleRunDue,
  message: ({ pk, sk }) => refOfKeys(String(pk), String(sk)),
});
