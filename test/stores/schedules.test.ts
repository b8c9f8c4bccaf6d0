import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNew } from "../../shared/data/guard.ts";
import { putItem } from "../../shared/data/writes.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { changeSchedule } from "../../shared/stores/schedules/change-schedule.ts";
import { createSchedule } from "../../shared/stores/schedules/create-schedule.ts";
import { disableSchedulesOf, listSchedulesOf } from "../../shared/stores/schedules/disable-schedules.ts";
import { listSchedules } from "../../shared/stores/schedules/list-schedules.ts";
import { purgeRemoved, removeSchedule } from "../../shared/stores/schedules/remove-schedule.ts";
import {
  getSchedule,
  SCHEDULE_SHAPE,
  type StoredSchedule,
  scheduleItem,
  scheduleKey,
  schedulePartition,
} from "../../shared/stores/schedules/schedule-item.ts";
import { putItems } from "../support/put-items.ts";
import { aSchedule, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

const created = async (changed: Partial<StoredSchedule> = {}) => {
  const schedule = aSchedule(changed);
  expect(await createSchedule(stores.db, schedule)).toBe(true);
  return schedule;
};
const change = (before: StoredSchedule, changed: Partial<StoredSchedule>) =>
  changeSchedule(stores.db, before, { ...before, ...changed }, T0 + 1);
const aimedAt = async (type: "agent" | "team", id: string) =>
  (await listSchedulesOf(stores.db, { type, id })).map((schedule) => schedule.id).sort();
const totalOf = async (owner: string, enabled?: boolean, now = T0) =>
  (await listSchedules(stores.db, { owner, enabled, page: 1, limit: 1 }, now)).total;

test("a schedule is stored in the shape of its version", async () => {
  const schedule = await created();
  expect(SCHEDULE_SHAPE).toBe(1);
  expect(Object.keys(scheduleItem(schedule)).sort().join(" ")).toBe(
    "all_key created_at cron_expr description disabled_reason enabled endpoint entries id managed_by max_retries method name next_run_at opened overlap owner_key payload pk plan_id retry_delay_seconds shape sk target_id target_type timeout_seconds timezone updated_at user_id version",
  );
  expect(await getSchedule(stores.db, schedule.id)).toEqual(schedule);
});

describe("a change", () => {
  test("of a schedule that was changed meanwhile is not written", async () => {
    const schedule = await created();
    expect(await change(schedule, { description: "first" })).toMatchObject({ changed: true });
    expect(await change(schedule, { description: "second" })).toEqual({ changed: false, because: "version" });
    expect((await getSchedule(stores.db, schedule.id))?.description).toBe("first");
  });

  test("of ten at once is written once", async () => {
    const schedule = await created();
    const changes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => change(schedule, { description: `${i}` })),
    );
    expect(changes.filter(({ changed }) => changed)).toHaveLength(1);
  });

  test("to a name that another of the owner has says so", async () => {
    const [one, other] = [await created(), await created()];
    expect(await change(one, { name: other.name })).toEqual({ changed: false, because: "name" });
    expect((await getSchedule(stores.db, one.id))?.name).toBe(one.name);
  });

  test("leaves alone what others keep on the item", async () => {
    const schedule = await created();
    await putItems(stores.db, "schedules", [{ ...scheduleItem(schedule), kept: "by others" }]);
    await change(schedule, { description: "new" });
    const { Item } = await stores.db.client.send(
      new GetCommand({ TableName: stores.db.tables.schedules, Key: scheduleKey(schedule.id) }),
    );
    expect(Item).toMatchObject({ kept: "by others", description: "new" });
  });
});

describe("the schedules of a component", () => {
  test("are found by endpoint and by provenance, of every owner, while they are enabled", async () => {
    const byEndpoint = await created({ endpoint: "/agents/a%20b/runs/", user_id: "paul" });
    const byProvenance = await created({ endpoint: "/config", target_type: "agent", target_id: "a b" });
    const both = await created({
      endpoint: "/teams/t/runs",
      target_type: "agent",
      target_id: "a b",
      user_id: null,
    });
    await created({ endpoint: "/agents/a%20b/runs", method: "GET" });
    await created({ endpoint: "/agents/a%20b/runs", enabled: false });
    expect(await aimedAt("agent", "a b")).toEqual([byEndpoint.id, byProvenance.id, both.id].sort());
    expect(await aimedAt("team", "t")).toEqual([both.id]);
  });

  test("follow a change of the endpoint, and a removal", async () => {
    const schedule = await created({ endpoint: "/agents/before/runs" });
    const changed = await change(schedule, { endpoint: "/agents/after/runs" });
    expect([await aimedAt("agent", "before"), await aimedAt("agent", "after")]).toEqual([[], [schedule.id]]);
    if (!changed.changed) throw new Error("not changed");
    expect(await removeSchedule(stores.db, changed.schedule, T0)).toBe(true);
    expect(await aimedAt("agent", "after")).toEqual([]);
  });

  test("are disabled with a reason, together with what the caller writes", async () => {
    const ids = (
      await Promise.all(Array.from({ length: 40 }, () => created({ endpoint: "/agents/old/runs" })))
    ).map(({ id }) => id);
    const target = { type: "agent", id: "old" } as const;
    const note = { pk: "archived", sk: newId() };
    const own = { archived: putItem("schedules", note, isNew) };
    const reason = "target_archived:agent:old";
    const done = await disableSchedulesOf(stores.db, target, own, reason, T0 + 5);
    expect(done).toMatchObject({ written: true });
    expect(await aimedAt("agent", "old")).toEqual([]);
    for (const id of ids) {
      const schedule = await getSchedule(stores.db, id);
      expect(schedule).toMatchObject({ enabled: false, disabled_reason: reason, updated_at: T0 + 5 });
    }
    const again = await created({ endpoint: "/agents/old/runs" });
    expect(await disableSchedulesOf(stores.db, target, own, reason, T0)).toEqual({
      written: false,
      refused: "archived",
    });
    expect((await getSchedule(stores.db, again.id))?.enabled).toBe(true);
  });
});

describe("the number of schedules", () => {
  test("follows what is enabled, disabled and removed, also of schedules that were counted before", async () => {
    const all = await Promise.all(Array.from({ length: 260 }, () => created({ user_id: "counted" })));
    const settled = T0 + 1000;
    expect(await totalOf("counted", undefined, settled)).toBe(260);
    const [first, second] = all;
    if (!first || !second) throw new Error("none was created");
    await changeSchedule(stores.db, first, { ...first, enabled: false }, settled);
    await removeSchedule(stores.db, second, settled);
    expect(await totalOf("counted", undefined, settled)).toBe(259);
    expect(await totalOf("counted", true, settled)).toBe(258);
    expect(await totalOf("counted", false, settled + 1000)).toBe(1);
  });
});

describe("a removed schedule", () => {
  test("takes its runs with it, an hour later at the most", async () => {
    const schedule = await created();
    const runs = Array.from({ length: 60 }, (_, i) => ({
      pk: schedulePartition(schedule.id),
      sk: `run#${i}`,
    }));
    await putItems(stores.db, "schedules", runs);
    await removeSchedule(stores.db, schedule, T0);
    expect(await purgeRemoved(stores.db, T0)).toBe(0);
    expect(await purgeRemoved(stores.db, T0 + 1)).toBeGreaterThan(0);
    expect(await purgeRemoved(stores.db, T0 + 1)).toBe(0);
    const { Count } = await stores.db.client.send(
      new QueryCommand({
        TableName: stores.db.tables.schedules,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": schedulePartition(schedule.id) },
      }),
    );
    expect(Count).toBe(0);
  });

  test("is removed once, however many remove it", async () => {
    const schedule = await created();
    const removals = await Promise.all(
      Array.from({ length: 5 }, () => removeSchedule(stores.db, schedule, T0)),
    );
    expect(removals.filter(Boolean)).toHaveLength(1);
  });
});
