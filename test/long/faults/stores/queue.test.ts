import { taken } from "../../../support/fault-lab.ts";
import { accepted, asAdmin, get, walkStoreFaults } from "../../../support/fault-walk.ts";

walkStoreFaults("queue", {
  listJobs: [
    {
      what: "two statuses",
      send: get(asAdmin, () => "/queue/jobs?status=failed&status=queued"),
      status: 200,
    },
    { what: "sorted", send: get(asAdmin, () => "/queue/jobs?status=failed&sort_by=user_id"), status: 200 },
  ],
  getJob: [{ what: "one job", send: get(asAdmin, (run) => `/queue/jobs/${run.run_id}`), status: 200 }],
  getRunLog: [
    { what: "a run with a job", send: get(asAdmin, (run) => `/runs/${run.run_id}/log`), status: 200 },
  ],
  getQueueStats: [{ what: "all counts", send: get(asAdmin, () => "/queue/stats"), status: 200 }],
  requeueJob: [
    {
      what: "a failed job",
      prepare: ({ failedRun }) => failedRun(),
      send: ({ admin }, { run_id }) => taken(admin.send("POST", `/queue/jobs/${run_id}/requeue?force=true`)),
      status: 200,
      except: [accepted(200)],
    },
  ],
  cancelJobs: [
    {
      what: "a waiting job of many",
      send: ({ admin }) =>
        taken(admin.send("POST", "/queue/jobs/cancel", { json: { dry_run: false, limit: 1 } })),
      status: 200,
    },
  ],
  requeueJobs: [
    {
      what: "a failed job of many",
      prepare: ({ failedRun }) => failedRun(),
      send: ({ admin }) =>
        taken(admin.send("POST", "/queue/jobs/requeue", { json: { dry_run: false, force: true, limit: 1 } })),
      status: 200,
      except: [accepted(200)],
    },
  ],
});
