/** Values of a hash. */
const RANGE = 2 ** 32;

/**
 * Whether a run is among the share that is judged. The run's id decides, so that every process that ends the run, and
 * every attempt, comes to the same.
 *
 * @param ratio  0 to 1
 */
export const isSampled = (run_id: string, ratio: number): boolean => hashOf(run_id) / RANGE < ratio;

/** FNV-1a with a last mix: ids of runs begin with a time, and their hashes still spread evenly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
