import type { WorkflowState } from "../run/workflow-state.ts";

/**
 * Keeps a state that several branches change, one write at a time: whoever asks waits for a write that began after it
 * asked, and those who ask meanwhile share the next one.
 *
 * @param write  keeps the state as it is when called
 */
function createSharedWriter(write: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined) // whoever waited for that one was told
      .then(() => {
        next = undefined;
        current = write();
        return current;
      });
    return next;
  };
}

/** The two wishes to keep a workflow's state. */
export type StateWriter = {
  /** Keeps it as it is now. */
  readonly now: () => Promise<void>;
  /** The same, where a step has finished that is not kept yet. */
  readonly finished: () => Promise<void>;
};

/** @param write absent where nothing outlives the process */
export function createStateWriter(
  state: () => WorkflowState,
  write: ((state: WorkflowState) => Promise<void>) | undefined,
): StateWriter {
  let kept = state().finished.length;
  const now = createSharedWriter(async () => {
    const taken = state();
    await write?.(taken);
    kept = Math.max(kept, taken.finished.length);
  });
  return { now, finished: async () => (state().finished.length > kept ? now() : undefined) };
}
