/**
 * The face of this room for the process that executes evaluations. It is a file of its own because of what it brings along:
 * the engine, which requests about evaluations do without.
 */
export type { EvalDeps } from "./eval-deps.ts";
export { processEval } from "./process-eval.ts";
