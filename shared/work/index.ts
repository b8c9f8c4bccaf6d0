/** Leased work: how a kind of it is defined, executed and swept, and its wake-up messages. Every other file is internal. */
export { defineWork, doubling, type WorkChange } from "./define-work.ts";
export { type Due, type DueRow, delayUntil, dueIndex, dueShardOf, dueShards } from "./due.ts";
export { LeaseLost, type LeaseRow, leaseOf, startHeartbeat } from "./lease.ts";
export { type Leased, recordCrash, runWork } from "./run-work.ts";
export { type Sweepable, sendWakeUp, type WakeDeps, wakeUps } from "./wake-ups.ts";
