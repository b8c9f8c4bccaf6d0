import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { CallEndpoint } from "../../functions/schedule-executor/call-endpoint.ts";
import type { ExecutorDeps } from "../../functions/schedule-executor/executor-deps.ts";
import { fireSlot } from "../../functions/schedule-executor/fire-slot.ts";
import { processDueRun } from "../../functions/schedule-executor/process-due-run.ts";
import { recordMissedSlots } from "../../functions/schedule-reconcile/record-missed-slots.ts";
import { actingFor } from "../../shared/auth/schedules/acting-for.ts";
import { ServiceError } from "../../shared/errors.ts";
import { Reply } from "../../shared/http/handler.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { ownerRefusalIn } from "../../shared/scheduler/owner-refusal-in.ts";
import type { ScheduleRunRef } from "../../shared/schemas/schedules/schedule-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { changeSchedule } from "../../shared/stores/schedules/change-schedule.ts";
import { createSchedule } from "../../shared/stores/schedules/create-schedule.ts";
import { listScheduleRuns } from "../../shared/stores/schedules/runs/list-schedule-runs.ts";
import { scheduleRunWork } from "../../shared/stores/schedules/runs/run-item.ts";
import { getSchedule, type StoredSchedule } from "../../shared/stores/schedules/schedule-item.ts";
import { queueWorld } from "./queue-world.ts";
import { aSchedule } from "./records.ts";

/** What a delivery does to the outside, one act after the other. */
export type Outside = Pick<ExecutorDeps, "db" | "queue" | "call">;

/** Executor, run routes, worker and sweeper in one process, with time and deliveries in the test's hand. */
export function scheduleRunWorld(db: Db) {
  const world = queueWorld(db);
  const removed: string[] = [];
  let calls = 0;
  /** The run routes as the executor's call reaches it. */
  const call: CallEndpoint = async ({ call: { body = "", headers, rawPath }, ref, owner }) => {
    calls += 1;
    const form = new URLSearchParams(body);
    const request = {
      ...world.request(form.get("message") ?? "", {}, headers["idempotency-key"]),
      component: { kind: "agent" as const, id: rawPath.split("/")[2] ?? "" },
      params: {},
      principal: actingFor(owner),
    };
    const allHeaders = { ...request.headers, "x-schedule-run": `${ref.schedule_id}/${ref.schedule_run_id}` };
    try {
      const answer = await createComponentRun({ ...request, headers: allHeaders }, world);
      if (!(answer instanceof Reply)) throw new Error("the route did not answer as a background run");
      return { answered: true, status: answer.status, body: JSON.stringify(answer.body) };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { answered: true, status: error.status, body: error.message };
    }
  };
  const deps: ExecutorDeps = {
    db,
    queue: world.schedules,
    call,
    ownerRefusalOf: ownerRefusalIn({ db, adminScope: "platform:admin", clock: world.clock }),
    scheduler: { remove: async (names) => void removed.push(...names) },
    clock: world.clock,
    log: world.log,
  };
  const now = () => epochSeconds(world.clock);
  return {
    ...world,
    deps,
    /** Names of entries that were taken away at the scheduler. */
    removed,
    now,
    calls: () => calls,
    /** A schedule that is due every five minutes. */
    async schedule(change: Partial<StoredSchedule> = {}): Promise<StoredSchedule> {
      const id = newId();
      const schedule = aSchedule({
        ...{ id, name: id, created_at: now(), next_run_at: null, plan_id: "first" },
        ...{ payload: { message: "Summarise today" }, cron_expr: "*/5 * * * *" },
        ...change,
      });
      if (!(await createSchedule(db, schedule))) throw new Error("the schedule was not created");
      return schedule;
    },
    async disable(schedule: StoredSchedule): Promise<void> {
      await changeSchedule(db, schedule, { ...schedule, enabled: false }, now());
    },
    stored: ({ id }: StoredSchedule) => getSchedule(db, id),
    /** Delivers a slot. @param at epoch seconds; now when absent */
    fire: (schedule: StoredSchedule, at = now(), outside: Partial<Outside> = {}) =>
      fireSlot({ ...deps, ...outside }, { schedule_id: schedule.id, scheduled_time: isoOf(at) }),
    processDueRun: (ref: ScheduleRunRef, outside: Partial<Outside> = {}) =>
      processDueRun({ ...deps, ...outside }, ref),
    /** Delivers the wake-ups that wait now, whatever their delay. */
    async attendAll(): Promise<number> {
      const waiting = world.schedules.sent.splice(0);
      for (const { ref } of waiting) await processDueRun(deps, ref);
      return waiting.length;
    },
    /** The sweeper's part, and what it wakes. */
    async sweepSchedules(): Promise<void> {
      await scheduleRunWork.sweep(db, { send: world.schedules.wake }, now());
      const waiting = world.schedules.sent.splice(0);
      for (const { ref } of waiting) await processDueRun(deps, ref);
    },
    /** What the daily comparison puts on record of one schedule. */
    noteMissed: ({ id }: StoredSchedule) => recordMissedSlots({ db, clock: world.clock }, [id]),
    runs: async ({ id }: StoredSchedule) =>
      (await listScheduleRuns(db, id, { page: 1, limit: 1000 }, now())).runs,
    /** Ids of all runs that the route has accepted for a schedule. */
    async jobsOf({ id }: StoredSchedule): Promise<string[]> {
      const { Items = [] } = await db.client.send(new ScanCommand({ TableName: db.tables.jobs }));
      return Items.filter(({ schedule_run }) => schedule_run?.schedule_id === id).map((item) =>
        String(item.id),
      );
    },
  };
}

export type ScheduleRunWorld = ReturnType<typeof scheduleRunWorld>;

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
