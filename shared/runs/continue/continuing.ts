import type { Runnable } from "../../engine/define/runnable.ts";
import type { runRoutes } from "../../routes/runs.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunsRequest } from "../for-kind.ts";
import type { FramedRequest } from "../foreground/event-frames.ts";
import type { ContinueForm } from "./read-continue-form.ts";

/** A continuation that passed every check that does not depend on the run's state. */
export type Continuing = {
  readonly request: RunsRequest<typeof runRoutes.continueAgentRun> & FramedRequest;
  readonly form: ContinueForm;
  readonly runnable: Runnable;
  readonly run: StoredRun;
  /** Of the run's queue job, when it has one. */
  readonly job: StoredJob | undefined;
  /** Those that the run's calls name. */
  readonly approvals: readonly StoredApproval[];
};
