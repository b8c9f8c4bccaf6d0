/** Preferred places to cut, best first. The separator stays with the slice before it. */
const breaks = ["\n\n", "\n", " "];

/** A slice is not cut shorter than this share of the limit in order to end at a better place. */
const SHORTEST = 0.5;

/**
 * Cuts a text into slices that joined give the text again: after a blank line, a newline, a blank, else anywhere but
 * within a surrogate pair.
 *
 * @param limit  UTF-16 units of a slice at most, at least 2
 */
export function splitText(text: string, limit: number): string[] {
  const slices: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const end = cutIn(rest, limit);
    slices.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === "" ? slices : [...slices, rest];
}

function cutIn(text: string, limit: number): number {
  for (const mark of breaks) {
    const end = text.lastIndexOf(mark, limit - mark.length) + mark.length;
    if (end > limit * SHORTEST) return end;
  }
  const last = text.charCodeAt(limit - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate ? limit - 1 : limit;
}
