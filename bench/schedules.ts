/**
 * Measures many schedules, directly against the store and the local scheduler: 10,000 are created by the operation
 * itself, listed, compared with the scheduler, and a thousand of them fire in one minute.
 * `node bench/schedules.ts`.
 */
import { listSchedules } from "../shared/stores/schedules/list-schedules.ts";
import { scheduleWorld } from "../test/support/schedule-world.ts";
import { startSchedulerServer } from "../test/support/scheduler-server.ts";
import { startStores } from "../test/support/stores.ts";
import { figuresOf, ms, printTable, type Row, runConcurrently } from "./figures.ts";

const SCHEDULES = 10_000;
const FIRING = 1_000;
const CONCURRENCY = 16;
const LISTS = 20;
const SLOT = { hour: 12, minute: 30 };
const DAY_MS = 86_400_000;

const stores = await startStores();
const server = await startSchedulerServer();
const { create, deps, reconcile } = scheduleWorld(stores.db);
const rows: Row[] = [];
try {
  const { timesMs, perSecond } = await runConcurrently(SCHEDULES, CONCURRENCY, async (i) => {
    const cron_expr = i < FIRING ? `${SLOT.minute} ${SLOT.hour} * * *` : `${i % 29} ${i % 12} * * *`;
    await create({ name: `schedule ${i}`, cron_expr });
  });
  rows.push({ what: `create 10,000, ${CONCURRENCY} at a time`, figure: `${perSecond.toFixed(0)} a second` });
  rows.push({ what: "create one of them", figure: ms(figuresOf(timesMs).p50) });
  rows.push(await timed("first list of 10,000", 1, () => list(undefined)));
  rows.push(await timed("page 1 of 10,000, everybody's", LISTS, () => list(undefined)));
  rows.push(await timed("page 1 of 10,000, one owner's", LISTS, () => list("maria")));
  rows.push(await timed("daily comparison of 10,000", 1, async () => void (await reconcile())));
  const slot = await beforeSlot();
  rows.push(await timed("fire 1,000 of one minute", 1, () => fire(slot)));
} finally {
  await server.stop();
  await stores.stop();
}
printTable(rows);

async function timed(what: string, times: number, work: () => Promise<void>): Promise<Row> {
  const { timesMs } = await runConcurrently(times, 1, work);
  return { what, figure: ms(figuresOf(timesMs).p50) };
}

/** Page 1, long after all were created, so that the cached counts may include them. */
async function list(owner: string | undefined): Promise<void> {
  const now = Math.floor(deps.clock.now() / 1000) + 1_000;
  const { total } = await listSchedules(stores.db, { owner, enabled: undefined, page: 1, limit: 100 }, now);
  if (total !== SCHEDULES) throw new Error(`${total} of ${SCHEDULES} were counted`);
}

/** Moves the scheduler's clock to just before the common slot of a thousand. @returns the slot; epoch milliseconds */
async function beforeSlot(): Promise<number> {
  const today = new Date(server.scheduler.now()).setUTCHours(SLOT.hour, SLOT.minute, 0, 0);
  const slot = today > server.scheduler.now() ? today : today + DAY_MS;
  await server.scheduler.moveTo(slot - 1);
  server.delivered.length = 0;
  return slot;
}

async function fire(slot: number): Promise<void> {
  await server.scheduler.moveTo(slot);
  if (server.delivered.length !== FIRING) throw new Error(`${server.delivered.length} of ${FIRING} fired`);
}
