import { failDeadLetter } from "../../../functions/housekeeper/fail-dead-letter.ts";
import { requeueJob } from "../../../functions/queue/requeue-job.ts";
import { sweep } from "../../../functions/sweeper/sweep.ts";
import type { RunnableKind } from "../../../shared/engine/define/runnable.ts";
import { checkLocks } from "../../../shared/engine/lifecycle/check-locks.ts";
import { createModels } from "../../../shared/engine/model/create-models.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { createDepthGauge } from "../../../shared/queue/depth-gauge.ts";
import type { LockCheckQueue } from "../../../shared/queue/lock-check-queue.ts";
import type { RunMessage, RunQueue, Wakeup } from "../../../shared/queue/run-queue.ts";
import { createRunningGauge } from "../../../shared/queue/running-gauge.ts";
import {
  type Component,
  cancelComponentRun,
  continueComponentRun,
  createComponentRun,
  lockCheckAsker,
  sendComponentMessage,
  withdrawRunMessage,
} from "../../../shared/runs/index.ts";
import { executeJob } from "../../../shared/runs/worker.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { AcceptedRun, RunStatus } from "../../../shared/schemas/runs/run.ts";
import type { SessionPolicy } from "../../../shared/schemas/sessions/session-policy.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { depthIn } from "../../../shared/stores/jobs/depth-reading.ts";
import { listRunningOf } from "../../../shared/stores/jobs/jobs-of-user.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import { noDailyBudgets } from "../no-daily-budgets.ts";
import { simulatedAgent, simulatedWorkflow, type Witness, watchedModels } from "./agents.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { SimulatedVersions } from "./versions.ts";

/** The settings of one world. */
export type WorldSettings = {
  readonly LOCK_GRACE_SECONDS: number;
  readonly MAX_ATTEMPTS: number;
  readonly RETRY_BASE_DELAY_SECONDS: number;
  readonly EXECUTION_TIMEOUT_SECONDS: number;
  readonly SLICE_SECONDS: number;
  readonly MAX_RUNNING_PER_USER: number;
};

export type Outside = {
  readonly db: Db;
  readonly queue: RunQueue;
  readonly lockChecks: LockCheckQueue;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly versions: SimulatedVersions;
  /** Invokes a version; false when it is gone. */
  readonly passOn: (versions: SimulatedVersions, version: string, wakeup: Wakeup) => Promise<boolean>;
  readonly settings: WorldSettings;
  /** Called with what an execution does that a second one would do again. */
  readonly acts: (process: Process, what: string) => void;
};

export type RunRef = Pick<AcceptedRun, "run_id" | "session_id">;

export type Asked = {
  readonly user: string;
  /** What is run. */
  readonly component: Component;
  readonly session: string;
  readonly policy: SessionPolicy;
  readonly message: string;
  readonly key: string | undefined;
};

/** What runs may be asked of. */
export const simulatedComponents = {
  agent: { kind: "agent", id: "assistant" },
  workflow: { kind: "workflow", id: "flow" },
} as const satisfies Record<string, Component>;

const LIFE_MS = 900_000;
/** How much later than its client is answered a run that got no job is cut off. */
const CUT_OFF_AFTER_MS = 1_500;
const log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * The product's own functions, each bound to one process of the simulation: the only file of the simulation that knows
 * how the product is put together.
 */
export async function simulatedProduct(outside: Outside) {
  const { db, queue, lockChecks, scheduler, random } = outside;
  let lastId = 0;
  const newId = (kind: string) => {
    lastId += 1;
    const tail = random.between(0, 0xffff).toString(16).padStart(4, "0");
    return `${kind}-${String(lastId).padStart(4, "0")}-${tail}`;
  };
  const settings = {
    ...outside.settings,
    JOB_RETENTION_SECONDS: 86_400,
    PAUSE_LIFE_SECONDS: 2_592_000,
    MAX_QUEUE_DEPTH: 1000,
    MAX_QUEUED_PER_USER: 0,
    SESSION_POLICY: "queue" as const,
    MAX_FOREGROUND_PER_USER: 2,
    MAX_FOREGROUND: 0,
    APPROVAL_EXPIRES_SECONDS: 0,
    QUEUE_ENABLED: "true" as const,
    APPROVERS: "admins" as const,
    FETCH_ALLOWED_HOSTS: [],
    ADMIN_SCOPE: "platform:admin",
  };
  const models = createModels(
    { MODEL: "scripted" },
    { clock: { sleep: (ms, signal) => currentClock(scheduler).sleep(ms, signal) } },
  );
  // Its code is loaded before time begins: loading waits for the real world.
  await models.resolve();

  const depsOf = (process: Process) => {
    const clock = scheduler.clockOf(process);
    const witness: Witness = { acts: (what) => outside.acts(process, what) };
    const version = outside.versions.of(process);
    const revision = outside.versions.revisionOf(version);
    const agent = { ...simulatedAgent(clock, witness), revision };
    const workflow = { ...simulatedWorkflow(clock, witness, agent), revision };
    return {
      db,
      queue,
      lockChecks,
      askForLockCheck: lockCheckAsker({ db, lockChecks, log }, settings.LOCK_GRACE_SECONDS),
      clock,
      log,
      settings,
      schedules: { wake: async () => {} },
      running: createRunningGauge((user) => listRunningOf(db, user), clock),
      depth: createDepthGauge(depthIn(db), clock),
      models: watchedModels(models, witness),
      dailyBudgets: noDailyBudgets,
      findRunnable: async (kind: RunnableKind) => (kind === "workflow" ? workflow : agent),
      pin: {
        version,
        passOn: (to: string, { job_id, user_id, hop }: RunMessage) =>
          outside.passOn(outside.versions, to, { job_id, user_id, ...(hop && { hop }) }),
      },
      knowsRunnable: async () => true,
      newRunId: () => newId("run"),
      newSessionId: () => newId("session"),
      newWorkerId: () => newId("worker"),
      random: random.next,
    };
  };
  const requestOf = (user: string, component: Component, admin = false) => ({
    component,
    params: {},
    headers: {},
    principal: { kind: "user" as const, user_id: user, scopes: ["agents:run"], admin },
    signal: new AbortController().signal,
    invocation: {},
  });

  return {
    async submit(process: Process, asked: Asked): Promise<AcceptedRun> {
      const answer = await createComponentRun(
        {
          ...requestOf(asked.user, asked.component),
          query: {},
          headers: { "idempotency-key": asked.key },
          body: {
            message: asked.message,
            session_id: asked.session,
            session_policy: asked.policy,
            stream: false,
            background: true,
            stream_events: true,
          },
        },
        depsOf(process),
      );
      if (!(answer instanceof Reply) || answer.status !== 202) throw new Error("not accepted");
      return answer.body as AcceptedRun; // what the route answers with 202
    },
    /**
     * A run whose client is kept waiting: the function works on after its answer.
     *
     * @param patienceMs  after which the run gets a job
     * @param observer        of the run's id once it has one, and of a 202
     */
    async wait(
      process: Process,
      asked: Asked,
      patienceMs: number,
      observer: { readonly started: (run: RunRef) => void; readonly answered: (run: AcceptedRun) => void },
    ): Promise<void> {
      const later: Promise<void>[] = [];
      const deps = depsOf(process);
      const newRunId = () => {
        const run_id = deps.newRunId();
        observer.started({ run_id, session_id: asked.session });
        return run_id;
      };
      const answer = await createComponentRun(
        {
          ...requestOf(asked.user, asked.component),
          query: {},
          body: {
            message: asked.message,
            session_id: asked.session,
            session_policy: asked.policy,
            stream: false,
            background: false,
            stream_events: true,
          },
          invocation: {
            waitLimits: {
              answer: { yieldAfterMs: patienceMs, abortAfterMs: patienceMs + CUT_OFF_AFTER_MS },
              stream: { yieldAfterMs: LIFE_MS - 60_000, abortAfterMs: LIFE_MS - 15_000 },
            },
            afterAnswer: (work) => void later.push(work),
          },
        },
        { ...deps, newRunId },
      );
      if (answer instanceof Reply && answer.status === 202) observer.answered(answer.body as AcceptedRun);
      await Promise.all(later);
    },
    async statusOf(process: Process, { user }: Asked, { run_id, session_id }: RunRef): Promise<RunStatus> {
      const now = epochSeconds(scheduler.clockOf(process));
      const run = await getRun(db, { owner: user, session_id, run_id }, now);
      if (!run) throw new Error(`run ${run_id} is gone`);
      return run.status;
    },
    /** Confirms what a paused run of an agent waits for; nothing where it waits for nothing. */
    async confirm(
      process: Process,
      { user, component }: Asked,
      { run_id, session_id }: RunRef,
    ): Promise<void> {
      const deps = depsOf(process);
      const run = await getRun(db, { owner: user, session_id, run_id }, epochSeconds(deps.clock));
      if (run?.status !== "PAUSED") return;
      const tools = (run.output.tools ?? []).map((tool) => ({ ...tool, confirmed: true }));
      await continueComponentRun(
        {
          ...requestOf(user, component),
          params: { run_id },
          query: {},
          body: {
            session_id,
            background: true,
            stream: false,
            stream_events: true,
            tools: JSON.stringify(tools),
            ...{ continue_from: "end", fork: false, regenerate: false },
          },
        },
        deps,
      );
    },
    /** Says something to a run as a client does. */
    say: (
      process: Process,
      { user, component }: Asked,
      { run_id, session_id }: RunRef,
      message: { readonly message: string; readonly message_id: string; readonly if_ended: "run" | "reject" },
    ) =>
      sendComponentMessage(
        {
          ...requestOf(user, component),
          params: { run_id },
          query: {},
          body: { ...message, session_id, step_id: undefined },
        },
        depsOf(process),
      ),
    withdraw: (process: Process, { user, component }: Asked, run: RunRef, message_id: string) =>
      withdrawRunMessage(
        {
          ...requestOf(user, component),
          params: { run_id: run.run_id, message_id },
          query: { session_id: run.session_id },
          body: undefined,
        },
        depsOf(process),
      ),
    cancel: (process: Process, { user, component }: Asked, run: RunRef) =>
      cancelComponentRun(
        {
          ...requestOf(user, component),
          params: { run_id: run.run_id },
          query: { session_id: run.session_id },
          body: undefined,
        },
        depsOf(process),
      ),
    requeue: (process: Process, jobId: string, confirmed: { force: boolean; clear_cancellation: boolean }) =>
      requeueJob(
        {
          ...requestOf("operator", simulatedComponents.agent, true),
          params: { job_id: jobId },
          query: confirmed,
          body: undefined,
        },
        depsOf(process),
      ),
    work: (process: Process, { hop, ...due }: Wakeup) => executeJob(depsOf(process), due, LIFE_MS, hop),
    giveUp: (process: Process, { job_id }: Wakeup) => failDeadLetter(depsOf(process), job_id),
    sweep: (process: Process) => sweep(depsOf(process)),
    checkLocks: (process: Process) => checkLocks(depsOf(process)),
  };
}
export type SimulatedProduct = Awaited<ReturnType<typeof simulatedProduct>>;

function currentClock(scheduler: Scheduler) {
  const process = scheduler.current();
  if (!process) throw new Error("a model is called outside every process");
  return scheduler.clockOf(process);
}
