/** Waits for all of them, also when outcome fails, so that none runs on unobserved. @throws the first error, in order */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
