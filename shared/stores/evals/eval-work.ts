import { absent } from "../../data/index.ts";
import { defineWork, doubling } from "../../work/index.ts";
import { evalDue, evalFrom, evalKey } from "./eval-item.ts";

/** An evaluation, whose trials that are recorded are not run again. */
export const evalWork = defineWork({
  kind: "evaluation",
  table: "evals",
  keyOf: evalKey,
  read: evalFrom,
  open: { status: "running" },
  alive: { removed_at: absent },
  lease: { holder: "worker", time: "lease_until", seconds: 60, renewals: 3, settlingSeconds: 1 },
  retry: {
    stalls: "stalls",
    stallsOf: ({ stalls }) => stalls,
    most: 8,
    delaySeconds: doubling({ base: 5, most: 300 }),
  },
  due: evalDue,
  message: ({ id }) => ({ eval_id: String(id) }),
});
