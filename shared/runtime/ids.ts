import { randomUUID } from "node:crypto";
import { v5, v7 } from "uuid";

/** Ids that order matters for (runs within a session, records of one millisecond): time-ordered UUIDs. */
export const newOrderedId = (): string => v7();
export const newRunId = newOrderedId;
export const newSessionId = (): string => randomUUID();
export const newId = (): string => randomUUID();

/** Any UUID would do; it must never change. */
const NAMES = "6f0c1a52-6a0e-4b7e-9b1e-0d8a6f3b5c11";
/** An id that is the same for the same name. */
export const derivedId = (name: string): string => v5(name, NAMES);
