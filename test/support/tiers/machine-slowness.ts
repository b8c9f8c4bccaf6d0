/** Processor seconds that `work` takes on the quiet machine on which the limits of files were set. */
const REFERENCE_SECONDS = 0.36;

/**
 * How much longer this machine takes now than the one on which the limits of files were set: it may be slower, or share its processors
 * with others, and then a second of processor time does less.
 *
 * @returns at least 1
 */
export function machineSlowness(): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1e6 / REFERENCE_SECONDS);
}

/** Always the same, of the kind that tests do: JSON, text, objects. */
function work(): number {
  const text = JSON.stringify(
    Array.from({ length: 3_000 }, (_, n) => ({ id: `item-${n}`, n, tags: ["a", "b"] })),
  );
  let sum = 0;
  for (let round = 0; round < 360; round += 1) {
    const items: readonly { readonly id: string; readonly n: number }[] = JSON.parse(text);
    sum += items
      .filter(({ n }) => n % 3 === round % 3)
      .map(({ id }) => id.toUpperCase())
      .join(" ")
      .split("-").length;
  }
  return sum;
}
