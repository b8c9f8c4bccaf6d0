/** Waits for all of them, also where one fails: nobody goes on unseen. @throws what the first of them failed with */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
