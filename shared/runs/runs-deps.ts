import type { Approvers } from "../auth/may-approve.ts";
import type { FindRunnable, KnowsRunnable } from "../engine/component/find-runnable.ts";
import type { Member } from "../engine/define/team.ts";
import type { RunDeps } from "../engine/lifecycle/execute-run.ts";
import type { DepthGauge } from "../queue/depth-gauge.ts";
import type { QueueSwitch, RunQueue } from "../queue/run-queue.ts";
import type { Log } from "../runtime/log.ts";
import type { SessionPolicy } from "../schemas/sessions/session-policy.ts";
import type { Component } from "./component.ts";
import type { AskForLockCheck } from "./execute/ask-for-lock-check.ts";
import type { FeedbackLinking } from "./feedback-links.ts";

export type RunsDeps = RunDeps & {
  readonly queue: RunQueue;
  readonly depth: DepthGauge;
  readonly findRunnable: FindRunnable;
  readonly knowsRunnable: KnowsRunnable;
  readonly newRunId: () => string;
  readonly newSessionId: () => string;
  /** Names this process as the holder of a job's lock. */
  readonly newWorkerId: () => string;
  /** Called with the lock of a run that moved to the queue and is executed on here; undefined where runs are only queued. */
  readonly askForLockCheck?: AskForLockCheck;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** What answers AG-UI where no component is named; undefined where the registry declares none. */
  readonly aguiComponent?: Component | undefined;
  /** Agents and teams that the registry declares: tasks elsewhere, of remote agents and of tools, are cancelled with the runs that wait for them. */
  readonly members?: readonly Member[];
  /** Makes links for feedback on runs that ask for them; undefined where there are none. */
  readonly feedbackLinking?: FeedbackLinking | undefined;
  readonly settings: QueueSwitch & {
    readonly MAX_ATTEMPTS: number;
    readonly MAX_QUEUE_DEPTH: number;
    readonly MAX_QUEUED_PER_USER: number;
    /** Of background runs that name none. */
    readonly SESSION_POLICY: SessionPolicy;
    readonly MAX_FOREGROUND_PER_USER: number;
    readonly MAX_FOREGROUND: number;
    readonly MAX_RUNNING_PER_USER: number;
    readonly LOCK_GRACE_SECONDS: number;
    readonly RETRY_BASE_DELAY_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
    readonly APPROVAL_EXPIRES_SECONDS: number;
    readonly EXECUTION_TIMEOUT_SECONDS: number;
    readonly FETCH_ALLOWED_HOSTS: readonly string[];
    readonly CALLBACK_URL?: string | undefined;
    readonly APPROVERS: Approvers;
    /** For texts that name who can resolve an approval. */
    readonly ADMIN_SCOPE: string;
  };
};
