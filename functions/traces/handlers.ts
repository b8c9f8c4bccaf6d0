// Generated from the route table by `npm run routes`; do not edit.
export { getTrace } from "./get-trace.ts";
export { getTraceFilterSchema } from "./get-trace-filter-schema.ts";
export { listTraceSessionStats } from "./list-trace-session-stats.ts";
export { listTraces } from "./list-traces.ts";
export { searchTraces } from "./search-traces.ts";
