import { conditionOf, exists, placeholders } from "../../../shared/data/guard.ts";
import type { Item } from "../../../shared/data/item.ts";
import { newContent } from "../../../shared/domain/knowledge/content-plans.ts";
import { planDueRun } from "../../../shared/domain/schedules/plan-due-run.ts";
import type { Clock } from "../../../shared/runtime/clock.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import { chatWork } from "../../../shared/stores/chats/chat-work.ts";
import { messageItem, type StoredChatMessage } from "../../../shared/stores/chats/message-item.ts";
import { migrationWork } from "../../../shared/stores/databases/migration-work.ts";
import { DATABASE_SHAPE, databaseKey } from "../../../shared/stores/databases/new-database.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { evalDue, evalItem, type StoredEval } from "../../../shared/stores/evals/eval-item.ts";
import { evalWork } from "../../../shared/stores/evals/eval-work.ts";
import { contentAttributes, contentKey, contentWork } from "../../../shared/stores/knowledge/content-item.ts";
import {
  deliveryItem,
  deliveryWork,
  type StoredDelivery,
} from "../../../shared/stores/outbox/delivery-item.ts";
import { endScheduleRun, moveScheduleRun } from "../../../shared/stores/schedules/runs/move-run.ts";
import { triggeredRun } from "../../../shared/stores/schedules/runs/new-run.ts";
import {
  getScheduleRun,
  refOf,
  scheduleRunItem,
  scheduleRunWork,
} from "../../../shared/stores/schedules/runs/run-item.ts";
import {
  USER_REMOVAL_SHAPE,
  userRemovalKey,
  userRemovalWork,
} from "../../../shared/stores/users/user-removal.ts";
import type { Work, WorkChange } from "../../../shared/work/define-work.ts";
import { LeaseLost } from "../../../shared/work/lease.ts";
import { runWork } from "../../../shared/work/run-work.ts";

/** A process that works in a simulated world. Its name is the holder that it writes. */
export type Worker = {
  readonly db: Db;
  readonly clock: Clock;
  readonly name: string;
  /** How long the next step takes, in parts of a lease. */
  readonly takes: () => number;
};

/** One kind of leased work, with a record of it and what its workers do. */
export type Subject = {
  readonly kind: string;
  readonly table: TableName;
  /** As it is stored before anybody claims it. */
  readonly item: Item;
  readonly holder: string;
  /** Set where that is a number which every write raises. */
  readonly isRevision?: true;
  readonly time: string;
  readonly leaseSeconds: number;
  /** Conditions as the row writes them. */
  readonly conditions: { readonly open: string; readonly alive?: string };
  /** Whether the record says that nothing more is to be done, and no worker may claim it then. */
  readonly isOver?: (status: string | undefined) => boolean;
  readonly work: (worker: Worker) => Promise<void>;
  /** Removes the record while it is worked on, where the kind knows that. */
  readonly remove?: (db: Db, now: number) => Promise<void>;
  /** Sends a message for what is due, as the sweeper does. */
  readonly sweep: (db: Db, send: () => Promise<void>, now: number) => Promise<number>;
};

const STEPS = 3;
const AGAIN_SECONDS = 5;
const log = { warn: () => {} };

type Described<Stored> = Pick<Subject, "table" | "item" | "isOver" | "remove"> & {
  /** What the last step writes. */
  readonly done: WorkChange<Stored>;
  /** Of one lease, where the row's is that of a whole process. */
  readonly seconds?: number;
  readonly alive?: string;
};

function subjectOf<Stored extends object, Ref, Message extends object>(
  work: Work<Stored, Ref, Message>,
  ref: Ref,
  { done, seconds = work.lease.seconds, alive, ...described }: Described<Stored>,
): Subject {
  const { holder, time } = work.lease;
  const end = async (db: Db, worker: string) => {
    if (!(await work.release(db, ref, worker, done)).changed)
      throw new LeaseLost("its last write was refused");
  };
  return {
    ...described,
    ...{ kind: work.kind, holder, time, leaseSeconds: seconds },
    conditions: { open: conditionOf(work.open, placeholders()) ?? "", ...(alive !== undefined && { alive }) },
    work: ({ db, clock, name, takes }) =>
      runWork(
        work,
        { db, clock, log, newWorkerId: () => name },
        ref,
        {
          idle: () => undefined,
          exhausted: ({ worker }) => end(db, worker),
          work: async ({ worker, signal }) => {
            for (let step = 0; step < STEPS; step += 1) {
              await clock.sleep(takes() * seconds * 1000, signal);
              const written = await work.write(db, ref, worker, { add: { steps: 1 } });
              if (!written.changed) throw new LeaseLost("a step was refused");
            }
            await end(db, worker);
          },
          failed: async ({ worker, isLost }, error) => {
            if (isLost() || error instanceof LeaseLost) return;
            const due = Math.floor(clock.now() / 1000) + AGAIN_SECONDS;
            await work.release(db, ref, worker, { due });
          },
        },
        { claim: { seconds } },
      ),
    sweep: (db, send, now) => work.sweep(db, { send }, now),
  };
}

const CALLED_RUN = { run_id: "run-1", session_id: "session-1" };
const RUN_SECONDS = 60;

/**
 * An attempt of a schedule: its worker makes moves of the table of transitions, as the executor does, and which one
 * follows from the record. Whoever has read it last may write.
 */
function scheduleRunSubject(now: number): Subject {
  const run = triggeredRun({ id: "schedule-1", user_id: "maria" }, "trigger-1", now);
  const { kind, lease } = scheduleRunWork;
  const { holder, time, seconds: leaseSeconds } = lease;
  return {
    ...{ kind, holder, isRevision: true, time, leaseSeconds, table: "schedules", item: scheduleRunItem(run) },
    conditions: { open: "" },
    isOver: (status) => status === "success",
    work: async ({ db, clock, takes }) => {
      const at = () => Math.floor(clock.now() / 1000);
      const pause = () => clock.sleep(takes() * leaseSeconds * 1000);
      const seen = await getScheduleRun(db, refOf(run), at());
      if (!seen) return;
      await pause();
      const step = planDueRun(seen, "run", RUN_SECONDS, at());
      if (step === "time_out" || step === "settle") {
        await endScheduleRun(db, seen, "succeed", { completed_at: at() }, at());
      }
      if (step !== "call") return;
      const due_at = scheduleRunWork.leaseEnd(at()).due;
      const claimed = await moveScheduleRun(db, seen, "call", { called: true, due_at });
      if (!claimed) return;
      await pause();
      await moveScheduleRun(db, claimed, "follow", { ...CALLED_RUN, due_at: at() + RUN_SECONDS });
    },
    sweep: (db, send, at) => scheduleRunWork.sweep(db, { send }, at),
  };
}

/** One subject of each kind but jobs, which have worlds of their own. @param now epoch seconds */
export function leasedSubjects(now: number): readonly Subject[] {
  const evaluation: StoredEval = {
    id: "eval-1",
    ...{ eval_type: "accuracy", name: null, agent_id: "assistant", team_id: null, status: "running" },
    ...{ evaluated_component_name: null, model_id: null, model_provider: null, user_id: "maria" },
    ...{ eval_data: {}, eval_input: {}, error: null, cases: 1, trials: 1, done: 0, stalls: 0 },
    ...{ created_at: now, updated_at: now },
  };
  const delivery: StoredDelivery = {
    ...{ type: "run.completed", subject: { kind: "run", id: "run-1" }, order: "0001", event_id: "evt_1" },
    ...{
      session_id: "s",
      target: { kind: "callback", id: "callback" },
      user_id: "maria",
      host: "example.com",
    },
    ...{ status: "pending", tries: 0, attempts: [], due_at: now, created_at: now, updated_at: now },
    expires_at: now + 86_400,
  };
  const content = newContent(
    {
      ...{ id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111", knowledge_id: "kb", owner: null, name: "one" },
      ...{ description: "", type: "text/csv", size: 1, metadata: null, options: {} },
      input: { kind: "url", url: "https://example.com/" },
    },
    now,
  );
  const message: StoredChatMessage = {
    ...{
      key: "m-1",
      message_id: "m-1",
      scope: "scope",
      sender: "491",
      owner: "maria",
      sent_at: now,
      status: "received",
    },
    target: { platform: "telegram", chat_id: 1, is_group: false },
    work: { kind: "unsupported", type: "sticker" },
    ...{ faults: 0, due_at: now, created_at: now, expires_at: now + 86_400 },
  };
  return [
    scheduleRunSubject(now),
    subjectOf(evalWork, evaluation.id, {
      table: "evals",
      item: { ...evalItem(evaluation), ...evalDue.attributes(evaluation.id, now) },
      done: { set: { status: "completed" }, due: null },
      isOver: (status) => status !== "running",
      alive: "attribute_not_exists(#removed_at)",
      remove: async (db, at) => {
        await evalWork.change(db, evaluation.id, { set: { removed_at: at }, due: null }, exists);
      },
    }),
    subjectOf(migrationWork, "main", {
      table: "databases",
      item: {
        ...databaseKey("main"),
        ...{ db_id: "main", version: 1, target_version: 2, records_read: 0, records_changed: 0 },
        ...{ started_at: now, updated_at: now, status: "migrating", shape: DATABASE_SHAPE },
      },
      seconds: 60,
      done: { set: { status: "settled" } },
      isOver: (status) => status !== "migrating",
    }),
    subjectOf(userRemovalWork, "maria", {
      table: "databases",
      item: {
        ...userRemovalKey("maria"),
        ...{ user_id: "maria", status: "removing", requested_by: "admin", removed: {}, passes: 0 },
        ...{ requested_at: now, updated_at: now, due_at: now, shape: USER_REMOVAL_SHAPE },
      },
      done: { set: { status: "completed" }, due: null },
      isOver: (status) => status !== "removing",
    }),
    subjectOf(contentWork, content, {
      table: "knowledge",
      item: { ...contentKey(content), ...contentAttributes(content) },
      done: { due: null },
    }),
    subjectOf(deliveryWork, delivery, {
      table: "outbox",
      item: deliveryItem(delivery),
      done: { set: { status: "delivered" }, due: null },
      isOver: (status) => status !== "pending",
    }),
    subjectOf(chatWork, message.key, {
      table: "chats",
      item: messageItem(message),
      done: { set: { status: "done" }, due: null },
      isOver: (status) => status === "done" || status === "failed",
    }),
  ];
}
