import { isHandOffToken } from "../../../shared/domain/jobs/hand-off-token.ts";
import { runStatusOf } from "../../../shared/domain/jobs/run-status-of-job.ts";
import { isTerminal, type JobStatus, terminalJobStatuses } from "../../../shared/schemas/queue/queue-job.ts";
import { simulatedSteps } from "./agents.ts";
import { type Attribute, numberOf, type StoredItem, textOf } from "./attributes.ts";
import type { WorldSettings } from "./product.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { SimulatedTables, Written } from "./table.ts";

/** What a worker process holds since its claim. */
type Holding = {
  readonly job: string;
  readonly attempt: number;
  readonly worker: string;
  /** Milliseconds. */
  readonly since: number;
  /** Whether the run was cancelled before it was claimed. */
  readonly unwanted: boolean;
  /** Milliseconds at which the job was taken away from it. */
  lostAt: number | undefined;
};

/** How long an execution that lost its job may go on before it must have noticed: two looks and their ways. */
const NOTICE_MS = 4_000;

/** Run statuses other than the job's own that each status of a job goes with. */
const alsoAgreeing: Partial<Record<JobStatus, string>> = { running: "PENDING" };

const statusOf = (item: StoredItem | undefined) => textOf(item?.status) as JobStatus | undefined; // what jobs hold
const holderOf = (row: StoredItem) => textOf(row.locked_by) ?? null;
const endedRuns = new Set(["COMPLETED", "CANCELLED", "ERROR"]);

/** Whether a process executes runs. */
const executes = ({ role }: Process): boolean => role === "worker" || role === "front";

const textsOf = (attribute: Attribute | undefined): string[] =>
  Array.isArray(attribute?.L) ? attribute.L.map((entry: Attribute) => textOf(entry) ?? "") : [];
const inputOf = (row: StoredItem | undefined): string =>
  textOf((row?.payload?.M as StoredItem | undefined)?.input) ?? ""; // a map's value is shaped like an item
/** The message names its session policy. */
const isExclusive = (row: StoredItem) => / reject \d+$/.test(inputOf(row));

/**
 * Watches every write and every act of an execution, and says when one breaks a promise of the queue.
 *
 * @param settings  those of this world
 */
export function createObserver(
  scheduler: Pick<Scheduler, "now">,
  tables: () => SimulatedTables,
  settings: Pick<WorldSettings, "LOCK_GRACE_SECONDS" | "MAX_ATTEMPTS">,
  violated: (what: string) => void,
) {
  const holdings = new Map<Process, Holding>();
  const doing = new Map<string, Process>();
  const done = new Map<string, number>();
  const began = new Map<string, number>();
  /** Messages of the runs that began in the foreground. */
  const waited = new Map<string, string>();
  /** Every requeue raises the visible budget; nothing else does. */
  const wasNeverRequeued = (row: StoredItem | undefined) =>
    numberOf(row?.max_attempts) === settings.MAX_ATTEMPTS;
  const nowSeconds = () => scheduler.now() / 1000;
  const jobItem = (id: string) => tables().item("jobs", `job#${id}`, "job");
  const holds = (row: StoredItem | undefined, holding: Holding | undefined): boolean =>
    holding !== undefined &&
    textOf(row?.locked_by) === holding.worker &&
    numberOf(row?.attempt) === holding.attempt;

  const claimed = (by: Process, before: StoredItem, after: StoredItem) => {
    const id = textOf(after.id) ?? "";
    for (const other of textsOf(before.waits_for)) {
      const row = jobItem(other);
      const isLive = statusOf(row) === "queued" || statusOf(row) === "running";
      // A run that was requeued lives again; who waited for its end has seen it.
      if (isLive && wasNeverRequeued(row))
        violated(`job ${id} was claimed before run ${other} of its session had ended`);
    }
    const attempt = numberOf(after.attempt) ?? 0;
    if (statusOf(before) !== "queued") violated(`job ${id} was claimed while it was ${statusOf(before)}`);
    if ((numberOf(before.available_at) ?? 0) > nowSeconds())
      violated(`job ${id} was claimed before it was due`);
    const unwanted = (numberOf(before.cancel_until) ?? 0) > nowSeconds();
    const worker = textOf(after.locked_by) ?? "";
    holdings.set(by, { job: id, attempt, worker, since: scheduler.now(), unwanted, lostAt: undefined });
  };
  /** A run that was handed off is resumed by another process, in the same attempt. */
  const tookOver = (by: Process, before: StoredItem, after: StoredItem) => {
    const [id, worker] = [textOf(after.id) ?? "", textOf(after.locked_by) ?? ""];
    const attempt = numberOf(after.attempt) ?? 0;
    if (worker === textOf(before.locked_by)) violated(`${by.name} wrote job ${id}, which no worker holds`);
    doing.delete(`${id}/${attempt}`);
    holdings.set(by, {
      job: id,
      attempt,
      worker,
      since: scheduler.now(),
      unwanted: false,
      lostAt: undefined,
    });
  };
  /** A run in the foreground begins: its process executes it, under no job yet. */
  const startedRun = (by: Process, id: string, run: StoredItem) => {
    const output = run.output?.M as StoredItem | undefined;
    const input = output?.input?.M as StoredItem | undefined; // a map's value is shaped like an item
    waited.set(id, textOf(input?.input_content) ?? "");
    holdings.set(by, {
      job: id,
      attempt: 1,
      worker: "",
      since: scheduler.now(),
      unwanted: false,
      lostAt: undefined,
    });
  };
  const inboxOf = (id: string): number =>
    tables()
      .items("runs")
      .filter(({ pk, sk }) => textOf(pk) === `run#${id}` && textOf(sk)?.startsWith("inbox#")).length;
  /** Whether a run answers what came too late for another one, with whose end it is written. */
  const isRest = (run: StoredItem | undefined): boolean => {
    const metadata = (run?.output?.M as StoredItem | undefined)?.metadata?.M as StoredItem | undefined; // maps are shaped like items
    return metadata?.steered_from !== undefined;
  };
  const runOf = (id: string) =>
    tables()
      .items("runs")
      .find(({ sk }) => textOf(sk) === `run#${id}`);
  /** A run gets a job while it is executed: its process holds the lock, or releases the run. */
  const gotJob = (by: Process, after: StoredItem) => {
    const id = textOf(after.id) ?? "";
    const holding = holdings.get(by);
    if (holding?.job !== id || holding.attempt !== numberOf(after.attempt))
      violated(`${by.name} made job ${id} for a run that it does not execute`);
    else if (statusOf(after) === "running" && !isHandOffToken(holderOf(after)))
      holdings.set(by, { ...holding, worker: textOf(after.locked_by) ?? "" });
  };
  const jobWritten = (by: Process, before: StoredItem | undefined, after: StoredItem) => {
    const id = textOf(after.id) ?? "";
    if (!before && isRest(runOf(id))) return;
    if (!before) return by.role === "front" ? gotJob(by, after) : accepted(after);
    const [was, is] = [statusOf(before), statusOf(after)];
    const [attemptWas, attemptIs] = [numberOf(before.attempt) ?? 0, numberOf(after.attempt) ?? 0];
    if (attemptIs > (numberOf(after.attempt_ceiling) ?? 0))
      violated(`job ${id} is in attempt ${attemptIs}, beyond its budget`);
    if (attemptIs > attemptWas) return claimed(by, before, after);
    if (isHandOffToken(holderOf(before)) && by.role === "worker" && is === "running")
      return tookOver(by, before, after);
    if (was && isTerminal(was) && is !== was && !(by.role === "operator" && is === "queued"))
      violated(`job ${id} went from ${was} to ${is} by ${by.name}`);
    if (by.role === "operator" && is === "queued" && was && !isTerminal(was))
      violated(`job ${id} was requeued while it was ${was}`);
    if (was === "running" && executes(by) && !holds(before, holdings.get(by)))
      violated(`${by.name} wrote job ${id}, which it does not hold`);
    if (was !== "running" && executes(by)) violated(`${by.name} wrote job ${id}, which was ${was}`);
    if (was === "running" && by.role === "sweeper" && is !== was && isFresh(before))
      violated(`${by.name} took job ${id} from a worker that sent a heartbeat within the lock grace`);
    if (was === "running" && !executes(by) && by.role !== "sweeper" && is !== was)
      violated(`${by.name} moved the running job ${id} to ${is}`);
    const isHandedOff =
      is === "running" && !isHandOffToken(holderOf(before)) && isHandOffToken(holderOf(after));
    const wanted = (numberOf(before.cancel_until) ?? 0) <= nowSeconds();
    if (was === "running" && (is === "queued" || is === "paused" || isHandedOff) && !wanted)
      violated(`job ${id} was ${isHandedOff ? "handed off" : is} although a cancellation was recorded`);
    for (const holding of holdings.values()) {
      if (holding.job === id && holds(before, holding) && !holds(after, holding))
        holding.lostAt ??= scheduler.now();
    }
  };
  const accepted = (after: StoredItem) => {
    const id = textOf(after.id) ?? "";
    if (!isExclusive(after)) return;
    for (const other of tables().items("jobs")) {
      const isLive = statusOf(other) === "queued" || statusOf(other) === "running";
      const isRival = textOf(other.session_id) === textOf(after.session_id) && textOf(other.id) !== id;
      if (isLive && isRival && isExclusive(other) && wasNeverRequeued(other))
        violated(`run ${id} was accepted beside run ${textOf(other.id)}, although both reject company`);
    }
  };
  const isFresh = (row: StoredItem) =>
    (numberOf(row.locked_at) ?? 0) > nowSeconds() - settings.LOCK_GRACE_SECONDS;

  const runWritten = (by: Process, { before, after }: Written, group: readonly Written[]) => {
    // Runs within a run are written with it.
    const parent = textOf((after.output?.M as StoredItem | undefined)?.parent_run_id);
    const id = parent ?? textOf(after.run_id) ?? "";
    if (!before && parent === undefined) {
      if (by.role === "front" && !isRest(after)) startedRun(by, id, after);
      return;
    }
    // A job that waits for this run says so on its record; that changes nothing of the run.
    if (JSON.stringify({ ...before, awaited_by: 0 }) === JSON.stringify({ ...after, awaited_by: 0 })) return;
    const [was, is] = [textOf(before?.status) ?? "", textOf(after.status) ?? ""];
    // A run within one that was requeued goes on where its checkpoint stands.
    if (parent === undefined && endedRuns.has(was) && is !== was && by.role !== "operator")
      violated(`run ${id} went from ${was} to ${is} by ${by.name}`);
    if (!executes(by)) return;
    const row = group.find(({ key }) => key.startsWith(`job#${id} `))?.before ?? jobItem(id);
    // A run in the foreground has no job, until it gets one with this very write.
    const hadJob = !group.some(({ key, before }) => key.startsWith(`job#${id} `) && !before);
    if (by.role === "front" && (!row || !hadJob)) return;
    if (!holds(row, holdings.get(by))) violated(`${by.name} wrote run ${id}, whose job it does not hold`);
  };
  const sessionWritten = (by: Process, { before, after }: Written) => {
    if (before && textOf(before.derived_name) !== textOf(after.derived_name))
      violated(`${by.name} replaced session ${textOf(after.session_id)}`);
  };
  /** A step may be cut off and made again; once a step that builds on it has begun, it has ended for good. */
  const stepBegins = (job: string, attempt: string, step: string) => {
    const times = (began.get(`${attempt} ${step}`) ?? 0) + 1;
    began.set(`${attempt} ${step}`, times);
    if (times > 1) violated(`attempt ${attempt} makes the step ${step} for the ${times}. time`);
    for (const [later, needs] of Object.entries(simulatedSteps)) {
      if (needs.includes(step) && began.has(`${job} ${later}`))
        violated(`job ${job} makes the step ${step} again, although ${later} has begun`);
    }
    began.set(`${job} ${step}`, 1);
  };
  const keyWritten = (by: Process, { before, after }: Written) => {
    if (before && textOf(before.job_id) !== textOf(after.job_id))
      violated(`${by.name} gave an idempotency key to a second job, ${textOf(after.job_id)}`);
  };
  const agreement = (id: string) => {
    const row = jobItem(id);
    const status = statusOf(row);
    if (!row || !status) return;
    const session = `session#${encodeURIComponent(textOf(row.owner) ?? "")}#${textOf(row.session_id)}`;
    const run = textOf(tables().item("runs", session, `run#${id}`)?.status);
    if (run !== runStatusOf[status] && run !== alsoAgreeing[status])
      violated(`job ${id} is ${status}, its run is ${run}`);
  };
  const miscount = () => {
    const items = tables().items("jobs");
    for (const status of [...terminalJobStatuses, "paused"] as const) {
      const rows = items.filter((item) => textOf(item.sk) === "job" && statusOf(item) === status).length;
      const counted = items
        .filter((item) => textOf(item.pk)?.startsWith("counter#"))
        .reduce((sum, item) => sum + (numberOf(item[status]) ?? 0), 0);
      if (rows !== counted) violated(`${counted} jobs are counted as ${status}, ${rows} are`);
    }
  };

  return {
    written(by: Process | undefined, group: readonly Written[]) {
      if (!by) return;
      const touched = new Set<string>();
      for (const write of group) {
        const { table, key, before, after } = write;
        // A call that was done twice may find its own work.
        if (JSON.stringify(before) === JSON.stringify(after)) continue;
        if (table === "sessions") sessionWritten(by, write);
        else if (key.startsWith("key#")) keyWritten(by, write);
        else if (key.startsWith("job#")) jobWritten(by, before, after);
        else if (table === "runs" && key.startsWith("session#")) runWritten(by, write, group);
        if (key.startsWith("job#")) touched.add(textOf(after.id) ?? "");
        if (table === "runs" && key.startsWith("session#")) touched.add(textOf(after.run_id) ?? "");
      }
      touched.forEach(agreement);
      if (group.some(({ key }) => key.startsWith("counter#") || key.startsWith("job#"))) miscount();
    },
    /** An execution does something that a second one would do again. */
    acts(by: Process, what: string) {
      const holding = holdings.get(by);
      if (!holding) return violated(`${by.name} calls a ${what} without a claim`);
      const { job, attempt } = holding;
      if (holding.unwanted) violated(`${by.name} calls a ${what} for job ${job}, which was to stop`);
      const everywhere = (done.get(`${job} ${what}`) ?? 0) + 1;
      done.set(`${job} ${what}`, everywhere);
      const name = `${job}/${attempt}`;
      if (what.startsWith("step ")) stepBegins(job, name, what.slice("step ".length));
      const times = (done.get(`${name} ${what}`) ?? 0) + 1;
      done.set(`${name} ${what}`, times);
      const input = waited.get(job) ?? inputOf(jobItem(job));
      const tools = input.split("[[tool:slowly").length - 1;
      // Whatever is said to it may take another call.
      const models = input.split("[[tool:").length + inboxOf(job);
      if (what === "tool" && everywhere > tools)
        violated(`job ${job} calls a tool that must not be called twice for the ${everywhere}. time`);
      if (!what.startsWith("step ") && times > (what === "tool" ? tools : models))
        violated(`attempt ${attempt} of job ${job} calls a ${what} for the ${times}. time`);
      const other = doing.get(name) ?? by;
      doing.set(name, by);
      if (other !== by)
        violated(`${by.name} and ${other.name} both execute attempt ${attempt} of job ${job}`);
      if (holding.lostAt === undefined) return;
      const excusedSince = Math.max(holding.lostAt, by.troubledAt);
      if (by.troubledAt < holding.since)
        violated(`${by.name} lost job ${job} although nothing was wrong with it`);
      if (scheduler.now() - excusedSince > NOTICE_MS)
        violated(`${by.name} calls a ${what} for job ${job}, which it lost long ago`);
    },
  };
}
export type Observer = ReturnType<typeof createObserver>;
