// Generated from the route table by `npm run routes`; do not edit.
export { cancelJobs } from "./cancel-jobs.ts";
export { getJob } from "./get-job.ts";
export { getQueueStats } from "./get-queue-stats.ts";
export { getRunLog } from "./get-run-log.ts";
export { listJobs } from "./list-jobs.ts";
export { requeueJob } from "./requeue-job.ts";
export { requeueJobs } from "./requeue-jobs.ts";
