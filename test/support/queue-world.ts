import { sweep } from "../../functions/sweeper/sweep.ts";
import type { SweeperDeps } from "../../functions/sweeper/sweeper-deps.ts";
import { findInRegistry, knowsRunnableIn } from "../../shared/engine/component/find-runnable.ts";
import { checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { Reply } from "../../shared/http/handler.ts";
import { createDepthGauge } from "../../shared/queue/depth-gauge.ts";
import type { HandOffRef } from "../../shared/queue/run-queue.ts";
import { createRunningGauge } from "../../shared/queue/running-gauge.ts";
import { createComponentRun, lockCheckAsker, type RunsDeps } from "../../shared/runs/index.ts";
import { executeJob, type WorkerDeps } from "../../shared/runs/worker.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId, newRunId, newSessionId } from "../../shared/runtime/ids.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { CreateRunForm } from "../../shared/schemas/runs/run-forms.ts";
import type { Db } from "../../shared/stores/db.ts";
import { depthIn } from "../../shared/stores/jobs/depth-reading.ts";
import { getJob, runOf } from "../../shared/stores/jobs/job-item.ts";
import { listRunningOf } from "../../shared/stores/jobs/jobs-of-user.ts";
import { readEvents } from "../../shared/stores/runs/events.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { noDailyBudgets } from "./no-daily-budgets.ts";
import { T0 } from "./records.ts";
import { registry } from "./registry/index.ts";
import { scheduleWakeups } from "./schedule-wakeups.ts";
import { lockChecksInHand, wakeupsInHand } from "./wakeups.ts";

const LONG_MS = 900_000;

export type QueueSettings = WorkerDeps["settings"] & RunsDeps["settings"] & SweeperDeps["settings"];

/**
 * API function, queue, worker and sweeper in one process, over a real store, with time and deliveries in the test's hand.
 */
export function queueWorld(
  db: Db,
  settings: Partial<QueueSettings> = {},
  clock: ManualClock = manualClock(T0 * 1000),
  models: WorkerDeps["models"] = createModels({ MODEL: "scripted" }),
) {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const queue = wakeupsInHand();
  const lockChecks = lockChecksInHand(clock);
  const grace = settings.LOCK_GRACE_SECONDS ?? 60;
  const common = {
    db,
    queue,
    lockChecks,
    askForLockCheck: lockCheckAsker({ db, lockChecks, log }, grace),
    schedules: scheduleWakeups(),
    running: createRunningGauge((user) => listRunningOf(db, user), clock),
    depth: createDepthGauge(depthIn(db), clock),
    clock,
    log,
    models,
    dailyBudgets: noDailyBudgets,
    findRunnable: findInRegistry(registry),
    knowsRunnable: knowsRunnableIn(registry, db),
    newRunId,
    newSessionId,
    newWorkerId: () => `worker-${newId()}`,
    random: () => 0.5,
    settings: {
      LOCK_GRACE_SECONDS: grace,
      RETRY_BASE_DELAY_SECONDS: 30,
      EXECUTION_TIMEOUT_SECONDS: 3600,
      SLICE_SECONDS: 780,
      JOB_RETENTION_SECONDS: 86_400,
      PAUSE_LIFE_SECONDS: 2_592_000,
      MAX_ATTEMPTS: 1,
      MAX_QUEUE_DEPTH: 1000,
      MAX_QUEUED_PER_USER: 0,
      SESSION_POLICY: "queue" as const,
      MAX_RUNNING_PER_USER: 0,
      MAX_FOREGROUND_PER_USER: 10,
      MAX_FOREGROUND: 0,
      APPROVAL_EXPIRES_SECONDS: 0,
      QUEUE_ENABLED: "true" as const,
      APPROVERS: "admins" as const,
      FETCH_ALLOWED_HOSTS: [],
      ADMIN_SCOPE: "platform:admin",
      ...settings,
    },
  };
  const request = (
    message: string,
    form: Partial<CreateRunForm> = {},
    key?: string,
    headers: Readonly<Record<string, string>> = {},
  ) => ({
    component: { kind: "agent" as const, id: "assistant" },
    params: {},
    query: {},
    body: {
      message,
      stream: false,
      background: true,
      stream_events: true,
      session_policy: "parallel" as const,
      ...form,
    },
    headers: { "idempotency-key": key, ...headers },
    principal: { kind: "user" as const, user_id: "maria", scopes: ["agents:run"], admin: false },
    signal: new AbortController().signal,
    invocation: {},
  });
  return {
    ...common,
    request,
    agent: (id: string) => registry.agents.find((agent) => agent.id === id),
    /** Submits a background run as the route does. */
    async submit(...asked: Parameters<typeof request>): Promise<AcceptedRun> {
      const answer = await createComponentRun(request(...asked), common);
      if (!(answer instanceof Reply) || answer.status !== 202) throw new Error("the run was not accepted");
      return answer.body as AcceptedRun;
    },
    /** Delivers one message, as a worker function gets it. */
    async deliver(jobId: string, overrides: Partial<WorkerDeps> = {}, hop?: HandOffRef): Promise<void> {
      const { user_id = null } = (await getJob(db, jobId, epochSeconds(clock))) ?? {};
      await executeJob({ ...common, ...overrides }, { job_id: jobId, user_id }, LONG_MS, hop);
    },
    /** Delivers every message that waits now, in order; what is sent meanwhile waits for the next call. */
    async deliverAll(): Promise<number> {
      const waiting = queue.sent.splice(0);
      for (const { hop, ...due } of waiting) await executeJob(common, due, LONG_MS, hop);
      return waiting.length;
    },
    sweep: () => sweep(common),
    checkLocks: () => checkLocks(common),
    job: (id: string) => getJob(db, id, epochSeconds(clock)),
    run: (run: { run_id: string; session_id: string }) =>
      getRun(db, { owner: "maria", ...run }, epochSeconds(clock)),
    /** The events of a run that was submitted here. */
    events: async (runId: string) => {
      const now = epochSeconds(clock);
      const job = await getJob(db, runId, now);
      const run = job && (await getRun(db, runOf(job), now));
      return (await readEvents(db, run ?? { run_id: runId })).events;
    },
  };
}

export type QueueWorld = ReturnType<typeof queueWorld>;
