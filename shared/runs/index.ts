/**
 * The face of this room for requests: what a caller may do with a run, by whichever protocol. What executes queued runs is in
 * `worker.ts`; every other file is internal.
 */

export { type CancelDeps, cancelComponentRun, cancelFoundRun } from "./cancel-component-run.ts";
export {
  type Component,
  findComponent,
  forKind,
  parseComponent,
  type RunsRequest,
  requireComponent,
  requireScope,
  requireSomeScope,
} from "./component.ts";
export { checkResolution, withEdits } from "./continue/check-resolution.ts";
export { continueComponentRun } from "./continue/continue-component-run.ts";
export { type Decision, resolveAndContinue, resolveOnly } from "./continue/resolve-approval.ts";
export { createComponentRun } from "./create/create-component-run.ts";
export { filesRefusal } from "./create/run-form.ts";
export { type AskForLockCheck, lockCheckAsker } from "./execute/ask-for-lock-check.ts";
export { linksFor, type MakeLinks } from "./feedback-links.ts";
export { findVisibleRun, visibleRun } from "./find-run.ts";
export {
  type EventFrames,
  type FramedRun,
  followFrames,
  framed,
  withoutIndex,
} from "./foreground/event-frames.ts";
export { listRunMessages } from "./messages/list-run-messages.ts";
export { sendComponentMessage } from "./messages/send-component-message.ts";
export { withdrawRunMessage } from "./messages/withdraw-run-message.ts";
export { ownRequests } from "./own-requests.ts";
export { answerRepeated, findRepeated } from "./repeated-request.ts";
export { resumeComponentRun } from "./resume-component-run.ts";
export type { RunsDeps } from "./runs-deps.ts";
