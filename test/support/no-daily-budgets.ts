import type { DailyBudgets } from "../../shared/engine/ports/budget-port.ts";

/** For worlds in which nothing limits what a user spends. */
export const noDailyBudgets: DailyBudgets = async () => undefined;
