import type { StoredJob } from "./jobs/job-item.ts";
import type { RunAddress } from "./runs/run-keys.ts";

/** Where the record of a job's run is stored. */
export const runOf = (job: StoredJob): RunAddress => ({
  owner: job.owner,
  session_id: job.session_id,
  run_id: job.id,
});
