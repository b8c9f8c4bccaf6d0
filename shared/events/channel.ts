/** Hands values, or promises of them, from one side to an async loop on the other, in order, without limit. */
export type Channel<T> = AsyncIterable<T> & {
  readonly push: (value: T | Promise<T>) => void;
  readonly end: () => void;
};

export function createChannel<T>(): Channel<T> {
  const waiting: (T | Promise<T>)[] = [];
  let ended = false;
  let wake = () => {};
  return {
    push(value) {
      waiting.push(value);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) for (const value of waiting.splice(0)) yield await value;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
