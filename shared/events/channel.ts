/** An unbounded queue of values, or promises of them, for one async loop to read in order. */
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
