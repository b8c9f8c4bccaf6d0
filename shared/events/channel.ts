/**
 * An unbounded queue of values, or promises of them, for one async loop to read in order. The loop ends with the failure of
 * a promise; one that it never comes to does no harm.
 */
export type Channel<T> = AsyncIterable<T> & {
  readonly push: (value: T | Promise<T>) => void;
  readonly end: () => void;
};

export function createChannel<T>(): Channel<T> {
  const queue: (T | Promise<T>)[] = [];
  let ended = false;
  let wake = () => {};
  return {
    push(value) {
      // It may fail before the loop has come to it, or after the loop was left. Unhandled, that would end the process.
      if (value instanceof Promise) value.catch(() => undefined);
      queue.push(value);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (queue.length > 0) for (const value of queue.splice(0)) yield await value;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
