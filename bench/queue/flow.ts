import type { Row } from "../figures.ts";
import {
  manyShards,
  manyUsers,
  newSessions,
  oneAccount,
  type SharedPartitions,
  sharedPartitions,
} from "./partitions.ts";
import { runTimes } from "./run-times.ts";

const MINUTES = 60;
const TICK_MS = 100;
const MEDIAN_SECONDS = 4;
const SLOTS = 10;
/** Of the slots of a function whose queue is never empty, by `slots.ts`. */
const USED = 0.91;
const PARTITION_UNITS = 1_000;

/** How AWS adds functions to an event source. @source Lambda guide, scaling of SQS event sources */
type Source = { readonly first: number; readonly perMinute: number; readonly most: number };
const standard: Source = { first: 5, perMinute: 300, most: 1_000 };
const provisioned = (pollers: number, most: number): Source => ({
  first: pollers * 10,
  perMinute: 1_000,
  most,
});

/**
 * An hour of a queue from its first run on, at some rates: with AWS's steps of functions, run times of a long tail, and the writes
 * of a run in each partition as they were measured. What does not fit into the busiest partition is accepted later.
 */
export async function measureFlow(): Promise<Row[]> {
  const plain = await sharedPartitions({}, manyUsers);
  const many = await sharedPartitions(manyShards, manyUsers);
  const alone = await sharedPartitions(manyShards, newSessions);
  const one = await sharedPartitions(manyShards, oneAccount);
  const most = provisioned(200, 11_000);
  return [
    play("700 runs/s, without pollers", 700, standard, plain),
    play("1,000 runs/s, without pollers", 1_000, standard, plain),
    play("1,000 runs/s, 2 to 140 pollers", 1_000, provisioned(2, 1_400), plain),
    play("8,000 runs/s, 200 to 1,100 pollers, partitions by default", 8_000, most, plain),
    play("8,000 runs/s, 200 to 1,100 pollers, more partitions", 8_000, most, many),
    play("8,000 runs/s, the same, each in a new session", 8_000, most, alone),
    play("8,000 runs/s, the same, one account", 8_000, most, one),
  ].flat();
}

function play(what: string, rate: number, source: Source, shared: readonly SharedPartitions[]): Row[] {
  const fits = Math.min(...shared.map(({ partitions, units }) => (partitions * PARTITION_UNITS) / units));
  const nextTime = runTimes(MEDIAN_SECONDS);
  const ticks = (MINUTES * 60_000) / TICK_MS;
  const ends = new Uint32Array(ticks + 1);
  let [outside, waiting, running, endedLast] = [0, 0, 0, 0];
  let [most, drained] = [0, Number.NaN];
  for (let tick = 0; tick < ticks; tick += 1) {
    const functions = Math.min(source.most, source.first + (source.perMinute * tick * TICK_MS) / 60_000);
    running -= ends[tick] ?? 0;
    if (tick >= ticks - 60_000 / TICK_MS) endedLast += ends[tick] ?? 0;
    outside += (rate * TICK_MS) / 1000;
    const accepted = Math.min(outside, (fits * TICK_MS) / 1000);
    outside -= accepted;
    waiting += accepted;
    const starts = Math.max(0, Math.floor(Math.min(waiting, functions * SLOTS * USED - running)));
    waiting -= starts;
    running += starts;
    for (let started = 0; started < starts; started += 1) {
      const end = tick + Math.max(1, Math.round(nextTime() / TICK_MS));
      if (end <= ticks) ends[end] = (ends[end] ?? 0) + 1;
    }
    most = Math.max(most, waiting);
    if (waiting + outside > rate) drained = Number.NaN;
    else if (Number.isNaN(drained)) drained = (tick * TICK_MS) / 60_000;
  }
  const keepsUp = waiting + outside <= rate;
  return [
    { what: `${what}: ended a second in the last minute`, figure: (endedLast / 60).toFixed(0) },
    {
      what: `${what}: behind at the end`,
      figure: `${Math.round(waiting).toLocaleString("en")} in the queue, ${Math.round(outside).toLocaleString("en")} not accepted; ${keepsUp ? `keeps up from minute ${drained.toFixed(1)} on` : "falls behind"}`,
    },
    { what: `${what}: most in the queue`, figure: Math.round(most).toLocaleString("en") },
    { what: `${what}: the partitions take`, figure: `${Math.round(fits).toLocaleString("en")} runs/s` },
  ];
}
