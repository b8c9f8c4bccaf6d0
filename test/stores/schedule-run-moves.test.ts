import { isDeepStrictEqual } from "node:util";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ScheduleRunMove,
  type ScheduleRunStage,
  type ScheduleRunTransition,
  scheduleRunMoves,
  scheduleRunTransitions,
} from "../../shared/domain/schedules/schedule-run-transitions.ts";
import { type ScheduleRunStatus, scheduleRunStatuses } from "../../shared/schemas/schedules/schedule-run.ts";
import { listScheduleRuns } from "../../shared/stores/schedules/runs/list-schedule-runs.ts";
import { moveScheduleRun } from "../../shared/stores/schedules/runs/move-run.ts";
import { newScheduleRun } from "../../shared/stores/schedules/runs/new-run.ts";
import {
  DAY_SECONDS,
  RETENTION_DAYS,
  scheduleRunItem,
  scheduleRunWork,
} from "../../shared/stores/schedules/runs/run-item.ts";
import { runTallyKey, scheduleRunId, slotAt } from "../../shared/stores/schedules/runs/run-keys.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** What each move takes: status, or status and what it waits for. */
const takes: Readonly<Record<ScheduleRunMove, readonly string[]>> = {
  start: ["queued"],
  call: ["running call"],
  follow: ["running call"],
  succeed: ["running", "running call", "running run", "paused"],
  pause: ["running", "running call", "running run"],
  fail: ["running", "running call", "running run", "paused"],
  failAndRetry: ["running", "running call", "running run"],
  endRetryWait: ["failed retry"],
  drop: ["queued", "running", "running call", "running run"],
};
const states: readonly (readonly [ScheduleRunStatus, ScheduleRunStage?])[] = [
  ...scheduleRunStatuses.map((status) => [status] as const),
  ["running", "call"],
  ["running", "run"],
  ["failed", "retry"],
];

let made = 0;
async function put(status: ScheduleRunStatus, stage?: ScheduleRunStage, at = T0) {
  made += 1;
  const run = {
    ...newScheduleRun({ user_id: "maria" }, slotAt(`schedule-${made}`, at), status),
    ...(stage && { stage, due_at: at }),
  };
  await stores.db.client.send(
    new PutCommand({ TableName: stores.db.tables.schedules, Item: scheduleRunItem(run) }),
  );
  return run;
}

describe.each(scheduleRunMoves)("%s", (move) => {
  const { leads }: ScheduleRunTransition = scheduleRunTransitions[move];
  const change = leads ? { due_at: T0 + 60 } : {};

  test.each(states.map(([status, stage]) => ({ status, stage })))(
    "from $status $stage",
    async ({ status, stage }) => {
      const moved = await moveScheduleRun(stores.db, await put(status, stage), move, change);
      expect(moved !== undefined).toBe(takes[move].includes([status, stage].filter(Boolean).join(" ")));
    },
  );

  test("is refused when another writer was there since", async () => {
    const from = states.find((state) => takes[move].includes(state.filter(Boolean).join(" ")));
    if (!from) throw new Error("a move that nothing takes");
    const seen = await put(...from);
    expect(await moveScheduleRun(stores.db, { ...seen, revision: 0 }, move, change)).toBeUndefined();
    expect(await moveScheduleRun(stores.db, seen, move, change)).toMatchObject({ revision: 2 });
  });
});

test("who waits for nothing is in the index no more", async () => {
  const run = await put("running", "run");
  const ref = { schedule_id: run.schedule_id, schedule_run_id: run.id };
  const delayAt = async (now: number) =>
    (await scheduleRunWork.due(stores.db, now)).find(({ message }) => isDeepStrictEqual(message, ref))
      ?.delaySeconds;
  expect(await delayAt(T0 + 5)).toBe(0);
  // Its own message may be under way; before that, one is sent that comes when it is due.
  expect(await delayAt(T0 + 4)).toBeUndefined();
  expect(await delayAt(T0 - 90)).toBe(91);
  expect(await delayAt(T0 - 91)).toBeUndefined();
  await moveScheduleRun(stores.db, run, "succeed");
  expect(await delayAt(T0 + 5)).toBeUndefined();
});

describe("the id of an attempt", () => {
  const slot = slotAt("s-1", T0);

  test("is a UUID, the same for the same slot and attempt, and another for any other", () => {
    const ids = [
      slot,
      { ...slot, attempt: 2 },
      { ...slot, schedule_id: "s-2" },
      { ...slot, slot: "trigger:1" },
    ].map(scheduleRunId);
    expect(ids[0]).toBe(scheduleRunId({ ...slot }));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("sorts by time, then by attempt", () => {
    const times = [T0 - 1, T0, T0 + 1, T0 + 100_000];
    const ids = times.flatMap((at) =>
      [1, 2, 10].map((attempt) => scheduleRunId({ ...slotAt("s", at), attempt })),
    );
    expect(ids.toSorted()).toEqual(ids);
  });
});

test("a long list is counted once, day by day, and forgets what has expired", async () => {
  const { db } = stores;
  const today = Math.floor(T0 / DAY_SECONDS) * DAY_SECONDS;
  const days = [1, 2, 3, 40];
  const runs = days.flatMap((ago) =>
    Array.from({ length: 90 }, (_, i) => slotAt("counted", today - ago * DAY_SECONDS + i)),
  );
  for (const slot of runs) {
    const Item = scheduleRunItem(newScheduleRun({ user_id: null }, slot, "success"));
    await db.client.send(new PutCommand({ TableName: db.tables.schedules, Item }));
  }
  const counted = async (now: number) =>
    (await listScheduleRuns(db, "counted", { page: 1, limit: 1 }, now)).total;
  expect(await counted(today)).toBe(360);
  expect(await counted(today)).toBe(360);
  expect((await tally())?.counts).toEqual(
    Object.fromEntries([2, 3, 40].map((ago) => [today / DAY_SECONDS - ago, 90])),
  );
  expect(await counted(today + (RETENTION_DAYS - 39) * DAY_SECONDS)).toBe(270);
  const page = await listScheduleRuns(db, "counted", { page: 2, limit: 50 }, today);
  expect(page.runs.map(({ created_at }) => created_at)).toEqual(
    Array.from({ length: 50 }, (_, i) =>
      i < 40 ? today - DAY_SECONDS + 39 - i : today - 2 * DAY_SECONDS + 129 - i,
    ),
  );

  async function tally() {
    const get = new GetCommand({ TableName: db.tables.schedules, Key: runTallyKey("counted") });
    return (await db.client.send(get)).Item;
  }
});
