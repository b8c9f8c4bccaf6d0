import type { FunctionName, Needs } from "./needs/needs.ts";
import { operations } from "./needs/operations.ts";
import { records } from "./needs/records.ts";
import { runs } from "./needs/runs.ts";

/**
 * The permissions of each function; event sources add those to read their queues. The local platform refuses every call
 * that is not granted here, so a missing line fails in the first test that needs it.
 */
export const needs = { ...runs, ...records, ...operations } as const satisfies Record<FunctionName, Needs>;
