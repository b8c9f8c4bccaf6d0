import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ComponentState } from "../../functions/schedules/schedules-deps.ts";
import type { ServiceError } from "../../shared/errors.ts";
import { changeSchedule } from "../../shared/stores/schedules/change-schedule.ts";
import { maria, scheduleWorld } from "../support/schedule-world.ts";
import { type SchedulerServer, startSchedulerServer } from "../support/scheduler-server.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let server: SchedulerServer;
beforeAll(async () => {
  stores = await startStores();
  server = await startSchedulerServer();
});
afterAll(async () => {
  await server?.stop();
  await stores?.stop();
});

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: ServiceError) => `${error.status} ${error.message}`,
  );

describe.each<[ComponentState, string]>([
  ["archived", "409 agent assistant is archived; restore it first"],
  ["draft_only", "409 agent assistant has no published version; publish one first"],
])("a schedule of a component that is %s", (state, expected) => {
  test("is not created, aimed at it or enabled, and can be enabled once the component is usable", async () => {
    let now: ComponentState = "usable";
    const world = scheduleWorld(stores.db, {
      componentState: async ({ id }) => (id === "assistant" ? now : "usable"),
    });
    const { id } = await world.create();
    const other = await world.create({ endpoint: "/agents/concierge/runs" });
    await world.disable(id);
    now = state;
    expect(await refusal(world.create())).toBe(expected);
    expect(await refusal(world.update(other.id, { endpoint: "/agents/assistant/runs" }))).toBe(expected);
    expect(await refusal(world.enable(id))).toBe(expected);
    expect(await refusal(world.update(id, { description: "may be changed" }))).toBeUndefined();
    now = "usable";
    expect(await world.enable(id)).toMatchObject({ enabled: true });
  });
});

test("a managed schedule is not enabled while it calls something else than it was made for", async () => {
  const world = scheduleWorld(stores.db);
  const { id } = await world.create({ endpoint: "/agents/concierge/runs" });
  await world.disable(id);
  const before = await world.stored(id);
  if (!before) throw new Error("it is gone");
  const managed = {
    ...before,
    managed_by: "studio",
    target_type: "agent",
    target_id: "assistant",
    disabled_reason: "endpoint_drift:/agents/concierge/runs!=agent:assistant",
  } as const;
  await changeSchedule(stores.db, before, managed, 1);
  expect(await refusal(world.enable(id))).toMatch(/^409 the schedule was made to run agent assistant/);
  await world.update(id, { endpoint: "/agents/assistant/runs" });
  expect((await world.stored(id))?.disabled_reason).toBe(managed.disabled_reason);
  await world.enable(id);
  expect(await world.stored(id)).toMatchObject({ enabled: true, disabled_reason: null });
});

test("a schedule cannot keep schedules, and an admin without a subject owns none of its own", async () => {
  const { create } = scheduleWorld(stores.db);
  const internal = { ...maria, kind: "internal" } as const;
  expect(await refusal(create({}, internal))).toMatch(/^403/);
  const noUser = { kind: "user", user_id: null, scopes: [], admin: true } as const;
  expect((await create({ name: "unowned" }, noUser)).user_id).toBeNull();
  expect(await refusal(create({ name: "unowned" }, noUser))).toMatch(/^409/);
  expect((await create({ name: "unowned" })).user_id).toBe("maria");
});
