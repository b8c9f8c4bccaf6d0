export { findTraces, matchingTraces, type TracesQuery, tracesAt, tracesOfSession } from "./find-traces.ts";
export { readTrace, type TraceRead } from "./read-trace.ts";
export { removeTrace } from "./remove-trace.ts";
export { type StoredTrace, spanIdOf, traceIdOf } from "./trace-item.ts";
export { writeSpans } from "./write-spans.ts";
