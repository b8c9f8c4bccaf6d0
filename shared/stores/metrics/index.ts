export { type DayBreakdown, listBreakdowns, putBreakdown, removeBreakdown } from "./breakdown-item.ts";
export { evalsOfDay, nextCountedDay, sessionsOfDay } from "./counted-days.ts";
export { listDays, putDay, removeDay, type StoredMetricsDay } from "./day-item.ts";
export {
  type DayProgress,
  openSlices,
  readEntries,
  removeSlices,
  saveSlice,
} from "./day-slices.ts";
export type { MetricsScope } from "./metrics-scope.ts";
export { readEvalFigures } from "./read-eval-figures.ts";
export { readRunFigures, readSessionFigures } from "./read-figures.ts";
export { readJudgments } from "./read-judgments.ts";
export {
  completeRefresh,
  failRefresh,
  getRefresh,
  type RefreshProgress,
  type RunningRefresh,
  requestRefresh,
  type StoredRefresh,
  saveRefresh,
} from "./refresh-item.ts";
