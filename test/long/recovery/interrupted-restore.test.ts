import { afterAll, beforeAll, expect, test } from "vitest";
import { readState } from "../../../package/recovery/recovery-state.ts";
import { giveUpRestore, restoreStage } from "../../../package/recovery/restore-stage.ts";
import { type Call, type End, restored, startRestoreWorld, switchesBefore } from "./restore-world.ts";

let world: Awaited<ReturnType<typeof startRestoreWorld>>;
let calls: readonly Call[];
let expected: Awaited<ReturnType<typeof world.state>>;

const options = () => ({ to: world.instant, tables: restored });

beforeAll(async () => {
  world = await startRestoreWorld();
  await world.spoil();
  const made: Call[] = [];
  await restoreStage(
    world.place(undefined, (call) => made.push(call)),
    options(),
  );
  calls = made;
  expected = await world.state();
}, 300_000);
afterAll(() => world?.stop());

const isRead = ({ command }: Call): boolean => /^(Get|List|Describe|Scan|BatchGet)/.test(command);

/** Of each kind of call of each step one that reads, and the first and the last one that changes something. */
function endsOf(made: readonly Call[]): End[] {
  const counts = new Map<string, End>();
  for (const { step, command } of made) {
    const key = `${step} ${command}`;
    counts.set(key, { step, command, nth: (counts.get(key)?.nth ?? 0) + 1 });
  }
  return [...counts.values()].flatMap((last) =>
    isRead(last) || last.nth === 1 ? [{ ...last, nth: 1 }] : [{ ...last, nth: 1 }, last],
  );
}

const nameOf = ({ step, command, nth }: End) => `step ${step}, ${command} ${nth}`;

/** Begins a restore whose process ends there. */
async function begin(end: End): Promise<void> {
  await world.spoil();
  const place = world.place(end);
  await expect(restoreStage(place, options()), nameOf(end)).rejects.toThrow("the process has ended");
  await place.over();
}

const isPaused = ({ concurrency, mappings }: ReturnType<typeof switchesBefore>): boolean =>
  Object.values(concurrency).every((most) => most === 0) && !Object.values(mappings).includes("Enabled");

test("a restore that nothing interrupts takes tables and objects back, and leaves nothing of its own", () => {
  expect(expected).toMatchObject({
    objects: ["changed: then", "gone: then", "same: same"],
    switches: switchesBefore(),
    copies: [],
  });
  const texts = expected.rows.runs?.map(({ text }) => text?.S).sort();
  expect(texts).toEqual([...Array(20).fill("same"), ...Array(20).fill("then")]);
});

test("wherever it is interrupted, the same call ends in the same state, and nothing works before", async () => {
  expect(endsOf(calls).length).toBeGreaterThan(20);
  for (const end of endsOf(calls)) {
    await begin(end);
    const { switches } = await world.state();
    if (end.step === 3 || end.step === 4) expect(isPaused(switches), nameOf(end)).toBe(true);
    await restoreStage(world.place(), options());
    expect(await world.state(), nameOf(end)).toEqual(expected);
    expect(await readState(world.s3, world.bucket), nameOf(end)).toBeUndefined();
  }
}, 300_000);

test("wherever it is given up, the stage works as before, without copies, and what was not begun is untouched", async () => {
  await world.spoil();
  const untouched = await world.state();
  for (const end of endsOf(calls).filter((end) => !isRead(end))) {
    await begin(end);
    const begun = await readState(world.s3, world.bucket);
    const another = { ...options(), to: new Date(0) };
    if (begun)
      await expect(restoreStage(world.place(), another), nameOf(end)).rejects.toThrow("Go on with it first");
    expect(await giveUpRestore(world.place()), nameOf(end)).toBe(begun?.to);
    const { switches, copies, rows } = await world.state();
    expect([switches, copies], nameOf(end)).toEqual([switchesBefore(), []]);
    if (end.step < 4) expect(rows, nameOf(end)).toEqual(untouched.rows);
    expect(await readState(world.s3, world.bucket), nameOf(end)).toBeUndefined();
  }
}, 300_000);

test("giving up may be interrupted too, and a later restore does all of it", async () => {
  const made: Call[] = [];
  const middle: End = { step: 4, command: "BatchWriteItemCommand", nth: 1 };
  await begin(middle);
  await giveUpRestore(world.place(undefined, (call) => made.push(call)));
  for (const end of endsOf(made)) {
    await begin(middle);
    const place = world.place(end);
    await expect(giveUpRestore(place), nameOf(end)).rejects.toThrow("the process has ended");
    await place.over();
    await giveUpRestore(world.place());
    const { switches, copies } = await world.state();
    expect([switches, copies], nameOf(end)).toEqual([switchesBefore(), []]);
  }
  await restoreStage(world.place(), options());
  expect(await world.state()).toEqual(expected);
}, 300_000);
