/**
 * The face of this room for the process that executes queued runs. It is a file of its own because of what it leaves out: with
 * the face for requests, the worker's bundle is 30 kB larger (`bench/bundles.ts`).
 */
export { type AskForLockCheck, lockCheckAsker } from "./execute/ask-for-lock-check.ts";
export { type CodePin, codePin, isPassedOn } from "./execute/code-pin.ts";
export { executeJob } from "./execute/execute-job.ts";
export type { WorkerDeps } from "./execute/worker-deps.ts";
