// Generated from the route table by `npm run routes`; do not edit.
export { getBudgets } from "./get-budgets.ts";
export { getMetrics } from "./get-metrics.ts";
export { getMetricsBreakdown } from "./get-metrics-breakdown.ts";
export { getRefreshStatus } from "./get-refresh-status.ts";
export { refreshMetrics } from "./refresh-metrics.ts";
