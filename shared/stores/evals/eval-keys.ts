import { dueSort } from "../due/due-keys.ts";

export const evalKey = (id: string) => ({ pk: `eval#${id}`, sk: "eval" });

/** The parts of one evaluation: not in its own partition, so that its record is found as long as any part is left. */
export const partsPartition = (id: string): string => `parts#${id}`;

/** Its plan. */
export const planKey = (id: string) => ({ pk: partsPartition(id), sk: "plan" });

export const trialKey = (id: string, number: number) => ({ pk: partsPartition(id), sk: trialSort(number) });

/** Sorts by number. */
export const trialSort = (number: number): string => `trial#${String(number).padStart(6, "0")}`;

/** Prefix of the objects of an evaluation. */
export const evalObjects = (id: string): string => `evals/${id}/`;

/** The only partition of the index by_due: evaluations are few, and each is in it only until it has ended. */
export const DUE = "due";

/** The attributes by which the sweeper finds an evaluation. @param at epoch seconds */
export const dueAttributes = (id: string, at: number) => ({ due_key: DUE, due: dueSort(at, id) });
