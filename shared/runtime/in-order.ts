/** Does one thing after the other, in the order in which they are asked for; one that fails does not stop the next. */
export function inOrder(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
