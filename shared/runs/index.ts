/**
 * The face of this room for requests: what a caller may do with a run, by whichever protocol. What executes queued runs is in
 * `worker.ts`; every other file is internal.
 */
export { cancelComponentRun } from "./cancel-component-run.ts";
export { continueComponentRun } from "./continue/continue-component-run.ts";
export { type Decision, refusePending, resolvedAlready } from "./continue/decision.ts";
export { resolveAndContinue } from "./continue/resolve-and-continue.ts";
export { createComponentRun } from "./create/create-component-run.ts";
export { type AskForLockCheck, lockCheckAsker } from "./execute/ask-for-lock-check.ts";
export { type Component, forKind, type RunsRequest } from "./for-kind.ts";
export { type EventFrames, type FramedRun, framed, withoutIndex } from "./foreground/event-frames.ts";
export { followFrames } from "./foreground/follow-frames.ts";
export { findComponent, requireComponent } from "./read/find-component.ts";
export { resumeComponentRun } from "./read/resume-component-run.ts";
export { findVisibleRun, visibleRun } from "./read/visible-run.ts";
export { requireScope, requireSomeScope } from "./require-scope.ts";
export type { RunsDeps } from "./runs-deps.ts";
