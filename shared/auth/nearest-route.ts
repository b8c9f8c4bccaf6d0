import { editDistance } from "../schemas/values/nearest-name.ts";

/** A method other than the key's, in characters: less than a misspelled path. */
const OTHER_METHOD = 2;

/**
 * The route that a misspelled one most likely means: the one that takes the fewest changed characters, segment by
 * segment. A variable stands for any text, so a concrete id finds the route that has a variable there.
 *
 * @param key     `METHOD /path`, with `*` for its variables
 * @param routes  candidates of the same form
 * @returns       undefined where none is near: half of its segments would have to change
 */
export function nearestRoute(key: string, routes: readonly string[]): string | undefined {
  let best: { readonly route: string; readonly distance: number } | undefined;
  for (const route of routes) {
    const distance = distanceOf(key, route);
    if (!best || distance < best.distance) best = { route, distance };
  }
  return best !== undefined && best.distance <= key.length * MAX_SHARE ? best.route : undefined;
}

/** A path that differs in more of its characters is another one. */
const MAX_SHARE = 0.5;

function distanceOf(one: string, other: string): number {
  const [method, ...left] = one.split(/ ?\//);
  const [otherMethod, ...right] = other.split(/ ?\//);
  const longer = Math.max(left.length, right.length);
  const perSegment = Array.from({ length: longer }, (_, at) => segmentDistance(left[at], right[at]));
  return perSegment.reduce((sum, distance) => sum + distance, method === otherMethod ? 0 : OTHER_METHOD);
}

function segmentDistance(one = "", other = ""): number {
  if (one === other) return 0;
  const isVariable = one === "*" || other === "*";
  return isVariable && one !== "" && other !== "" ? 1 : editDistance(one, other) + 1;
}
