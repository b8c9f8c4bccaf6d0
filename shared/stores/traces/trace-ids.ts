import { createHash } from "node:crypto";

const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** The trace of a run: the same for every slice and every attempt of it. */
export const traceIdOf = (runId: string): string => digest(`trace:${runId}`, TRACE_ID_CHARS);

/** @param path  keys of the spans from the root down to it */
export const spanIdOf = (traceId: string, path: string): string => digest(`${traceId}${path}`, SPAN_ID_CHARS);

const digest = (text: string, chars: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, chars);
