import type { WorkflowState } from "../run/workflow-state.ts";

/**
 * Saves a state that several branches change, one write at a time. Each caller waits for a write that began after its
 * call; calls during a write share the next one.
 *
 * @param write  saves the state as it is when called
 */
function createSharedWriter(write: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined) // the callers that waited for that write got its error
      .then(() => {
        next = undefined;
        current = write();
        return current;
      });
    return next;
  };
}

/** Saves a workflow's state. */
export type StateWriter = {
  /** Saves it as it is now. */
  readonly now: () => Promise<void>;
  /** The same, if a step has finished since the last save. */
  readonly finished: () => Promise<void>;
};

/** @param write absent where nothing outlives the process */
export function createStateWriter(
  state: () => WorkflowState,
  write: ((state: WorkflowState) => Promise<void>) | undefined,
): StateWriter {
  let saved = state().finished.length;
  const now = createSharedWriter(async () => {
    const current = state();
    await write?.(current);
    saved = Math.max(saved, current.finished.length);
  });
  return { now, finished: async () => (state().finished.length > saved ? now() : undefined) };
}
