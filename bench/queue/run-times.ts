/** Half of the runs take less than the median, one of a hundred more than thirty times as long: log-normal. */
const TAIL = 30;
const SPREAD = Math.log(TAIL) / 2.326;

/** Draws of run times in milliseconds, always the same sequence. */
export function runTimes(medianSeconds: number): () => number {
  const random = seededRandom(1);
  return () => 1000 * medianSeconds * Math.exp(SPREAD * normal(random));
}

/** In [0, 1), always the same sequence (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A draw from the standard normal distribution (Box-Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
