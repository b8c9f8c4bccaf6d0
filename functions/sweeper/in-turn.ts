/** A part of many things for one round: a different one every minute, until each has had its turn. @param now epoch seconds */
export function inTurn<T>(all: readonly T[], perRound: number, now: number): readonly T[] {
  const parts = Math.ceil(all.length / perRound);
  const part = parts === 0 ? 0 : Math.floor(now / 60) % parts;
  return all.slice(part * perRound, (part + 1) * perRound);
}
