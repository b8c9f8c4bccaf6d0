/** Hands values from one side to an async loop on the other, in order, without limit. */
export type Channel<T> = AsyncIterable<T> & {
  readonly push: (value: T) => void;
  readonly end: () => void;
};

export function createChannel<T>(): Channel<T> {
  const waiting: T[] = [];
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
        while (waiting.length > 0) yield* waiting.splice(0);
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
