import { dueSort } from "../due/due-keys.ts";

export const evalKey = (id: string) => ({ pk: `eval#${id}`, sk: "eval" });

/** What belongs to one evaluation: apart from it, so that it is found as long as any of that is left. */
export const partsPartition = (id: string): string => `parts#${id}`;

/** What it is to do. */
export const planKey = (id: string) => ({ pk: partsPartition(id), sk: "plan" });

export const trialKey = (id: string, number: number) => ({ pk: partsPartition(id), sk: trialSort(number) });

/** Sorts by number. */
export const trialSort = (number: number): string => `trial#${String(number).padStart(6, "0")}`;

/** What the keys of the objects of an evaluation start with. */
export const evalObjects = (id: string): string => `evals/${id}/`;

/** Evaluations are few, and each is in here only until it has ended. */
export const DUE = "due";

/** The attributes that have the sweeper look at an evaluation. @param at epoch seconds */
export const dueAttributes = (id: string, at: number) => ({ due_key: DUE, due: dueSort(at, id) });
