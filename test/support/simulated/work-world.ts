import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { numberOf, type StoredItem, textOf } from "./attributes.ts";
import { simulatedDb } from "./client.ts";
import { simulateGlobals } from "./globals.ts";
import { leasedSubjects, type Subject } from "./leased-work.ts";
import type { Mutation } from "./mutations.ts";
import { without } from "./mutations.ts";
import { calm, createNetwork } from "./network.ts";
import { seededRandom } from "./random.ts";
import { calmly, createScheduler, type Process } from "./scheduler.ts";
import { Refusal, simulatedTables } from "./table.ts";

const START_MS = 1_790_000_000_000;
const SWEEP_MS = 20_000;
const INDEX_LAG_MS = 1_500;
/** In leases. */
const TROUBLE_LEASES = 8;
const REST_LEASES = 20;
const WAKE_UPS = 6;

/** The guards of leased work, each for one kind: what a world must notice the want of. */
export type WorkGuard =
  | "claim: unleased"
  | "claim: there is work"
  | "every write: it is not removed"
  | "every write: the worker has it";

/** The mutation that takes a guard away; undefined where a kind has no such guard. */
export function withoutGuard(
  guard: WorkGuard,
  { holder, isRevision, time, conditions, isOver }: Subject,
): Mutation["weaken"] {
  // A revision is the only guard: it says that nothing was written since the record was read.
  if (isRevision && guard !== "every write: the worker has it") return undefined;
  switch (guard) {
    case "claim: unleased":
      return without(claimable(time)).weaken;
    case "claim: there is work":
      return isOver && without(conditions.open).weaken;
    case "every write: it is not removed":
      return conditions.alive === undefined ? undefined : without(conditions.alive).weaken;
    case "every write: the worker has it":
      return without(`#${holder} = :if_${holder}`).weaken;
  }
}

/** That there is no lease, as a claim asks first, or none that is still running, as it asks then. */
function claimable(time: string): RegExp {
  const none = `attribute_not_exists\\(#${time}\\)`;
  return new RegExp(`\\(${none} OR #${time} < :if_${time}\\)|${none}`);
}

export const workGuards = [
  "claim: unleased",
  "claim: there is work",
  "every write: it is not removed",
  "every write: the worker has it",
] as const satisfies readonly WorkGuard[];

export const workKinds: readonly string[] = leasedSubjects(0).map(({ kind }) => kind);

/**
 * Plays one world of one kind of leased work: workers die, stand still and lose calls, wake-ups come twice or never; then
 * everything works again, and the work must have been done by one worker at a time, and be over.
 *
 * @returns broken promises; empty when all was well
 */
export async function simulateWork(
  kind: string,
  seed: number,
  weaken?: Mutation["weaken"],
): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const violations: string[] = [];
  const scheduler = createScheduler(random, START_MS, () => {});
  const seconds = () => Math.floor(scheduler.now() / 1000);
  const subject = leasedSubjects(seconds()).find((one) => one.kind === kind);
  if (!subject) throw new Error(`no kind of leased work is called ${kind}`);
  const violated = (what: string) => {
    violations.push(`${kind}: ${what}`);
    scheduler.halt();
  };
  let writer: Process | undefined;
  const tables = simulatedTables({
    now: scheduler.now,
    indexLagMs: () => random.between(0, INDEX_LAG_MS),
    readLagMs: () => 0,
    pageItems: 3,
    onWritten: (group) => {
      for (const { before, after } of group) {
        if (!before || writer?.role !== "worker") continue;
        const fault = faultOf(subject, writer, before, after, seconds());
        if (fault !== undefined) violated(fault);
      }
    },
  });
  const network = createNetwork(scheduler, random);
  const db = simulatedDb(
    async (operation, request) => {
      const process = scheduler.current();
      const perform = () => {
        writer = process;
        return tables.perform(operation, weaken ? weaken(request) : request);
      };
      return process ? network.call(operation, perform, throttled) : perform();
    },
    random.pick([1, 3]),
  );
  // Before time begins: the client reads its configuration with its first call, and that waits for the real world.
  await db.client.send(new PutCommand({ TableName: subject.table, Item: subject.item }));
  let workers = 0;
  const wake = async () => {
    if (random.chance(0.1)) return;
    scheduler.after(random.between(5, 5_000), "delivery", () => {
      workers += 1;
      scheduler.start(
        `worker-${workers}`,
        "worker",
        (process) =>
          subject.work({
            ...{ db, name: process.name, clock: scheduler.clockOf(process) },
            takes: () => random.next() * 0.3,
          }),
        () => undefined,
      );
    });
  };
  const lease = subject.leaseSeconds * 1000;
  for (let n = 0; n < WAKE_UPS; n += 1)
    scheduler.after(random.between(0, TROUBLE_LEASES * lease), "wake-up", () => void wake());
  const { remove } = subject;
  if (remove && random.chance(0.5))
    scheduler.after(random.between(0, 2 * lease), "removal", () => {
      scheduler.start(
        "client-1",
        "client",
        () => remove(db, seconds()),
        () => undefined,
      );
    });
  for (let at = 0; at < (TROUBLE_LEASES + REST_LEASES) * lease; at += SWEEP_MS)
    scheduler.after(at, "timer", () => {
      scheduler.start(
        `sweeper-${at}`,
        "sweeper",
        () => subject.sweep(db, wake, seconds()),
        () => undefined,
      );
    });
  const restore = simulateGlobals(scheduler, random);
  try {
    network.setChances({ throttled: 0.02, lostAsking: 0.02, lostAnswer: 0.04, late: 0.03 });
    scheduler.setChances({
      kill: 0.03,
      stall: 0.06,
      stallMs: () => Math.round(lease * random.pick([0.2, 1, 1.5, 3])),
    });
    await scheduler.runUntil(START_MS + TROUBLE_LEASES * lease);
    network.setChances(calm);
    scheduler.setChances(calmly);
    await scheduler.runUntil(START_MS + (TROUBLE_LEASES + REST_LEASES) * lease);
  } finally {
    restore();
    db.client.destroy();
  }
  const [left] = tables.items(subject.table);
  if (violations.length === 0 && left && !isAtRest(subject, left))
    violated("it is not over although everything works");
  return violations;
}

const throttled = () => new Refusal("ProvisionedThroughputExceededException");

const isAtRest = ({ isOver, holder }: Subject, item: StoredItem): boolean =>
  item.removed_at !== undefined ||
  (isOver ? isOver(textOf(item.status)) : item.due_at === undefined && item[holder] === undefined);

/** What is wrong with a worker's write: it may claim unleased work, and write what it has itself. */
function faultOf(
  { holder, isRevision, time, isOver }: Subject,
  { name }: Process,
  before: StoredItem,
  after: StoredItem,
  now: number,
): string | undefined {
  if (isRevision) {
    const isNext = numberOf(after[holder]) === (numberOf(before[holder]) ?? 0) + 1;
    return isNext ? undefined : "a worker wrote over what it has not read";
  }
  const had = textOf(before[holder]);
  if (before.removed_at !== undefined) return "a worker wrote what was removed";
  if (had === name) return undefined;
  if (textOf(after[holder]) !== name) return "a worker wrote what it has not leased";
  if (had !== undefined && (numberOf(before[time]) ?? 0) >= now)
    return "a worker claimed what another one has leased";
  return isOver?.(textOf(before.status)) ? "a worker claimed what was over" : undefined;
}

/** Plays worlds of a kind until one breaks a promise. @returns how many; undefined when none did */
export async function findWorkSeed(
  kind: string,
  guard: WorkGuard,
  most: number,
): Promise<{ readonly seeds: number | undefined; readonly violation: string | undefined } | "no such guard"> {
  const subject = leasedSubjects(0).find((one) => one.kind === kind);
  const weaken = subject && withoutGuard(guard, subject);
  if (!weaken) return "no such guard";
  for (let seed = 1; seed <= most; seed += 1) {
    const [violation] = await simulateWork(kind, seed, weaken);
    if (violation !== undefined) return { seeds: seed, violation };
  }
  return { seeds: undefined, violation: undefined };
}
