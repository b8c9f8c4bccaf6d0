import type { FindRunnable } from "../../engine/component/find-runnable.ts";
import type { RunDeps } from "../../engine/lifecycle/execute-run.ts";
import type { ChatQueue } from "../../queue/chat-queue.ts";
import type { RunQueue } from "../../queue/run-queue.ts";
import type { RunningGauge } from "../../queue/running-gauge.ts";
import type { ScheduleQueue } from "../../queue/schedule-queue.ts";
import type { Log } from "../../runtime/log.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import type { Fence } from "../../stores/jobs/move-job.ts";
import type { AskForLockCheck } from "./ask-for-lock-check.ts";
import type { CodePin } from "./code-pin.ts";

/** The job that a message names. */
export type Due = { readonly job_id: string; readonly user_id: string | null };

/** What a process needs to execute a job whose lock it holds, and to record how that ended. */
export type JobDeps = RunDeps & {
  readonly queue: RunQueue;
  /** Where this process claims jobs: the places that it took. */
  readonly running?: RunningGauge;
  /** Sent a wake-up when a run ends that a schedule started; without it the sweeper finds the schedule's record. */
  readonly schedules?: ScheduleQueue;
  /** Sent a wake-up when a run ends that answers a chat message; without it the sweeper finds the message. */
  readonly chats?: Pick<ChatQueue, "send">;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly settings: {
    readonly LOCK_GRACE_SECONDS: number;
    readonly MAX_RUNNING_PER_USER: number;
    readonly RETRY_BASE_DELAY_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
    readonly MAX_ATTEMPTS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
  };
};

export type WorkerDeps = JobDeps & {
  readonly askForLockCheck: AskForLockCheck;
  readonly running: RunningGauge;
  readonly findRunnable: FindRunnable;
  /** Where runs are pinned to the code that they began with. */
  readonly pin?: CodePin | undefined;
  readonly newWorkerId: () => string;
  readonly settings: {
    readonly EXECUTION_TIMEOUT_SECONDS: number;
    readonly SLICE_SECONDS: number;
  };
};

/** One claimed execution: everything a fenced write needs to know. */
export type Execution = {
  readonly job: StoredJob;
  readonly worker: string;
  /** Set when the run began with code that is gone; it is not known yet whether it may go on with this one. */
  readonly migrates?: true;
  readonly fence: () => Fence;
};
