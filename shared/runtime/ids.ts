import { randomUUID } from "node:crypto";
import { v7 } from "uuid";

/** Ids that order matters for (runs within a session, jobs of one second): time-ordered UUIDs. */
export const newRunId = (): string => v7();
export const newSessionId = (): string => randomUUID();
export const newId = (): string => randomUUID();
