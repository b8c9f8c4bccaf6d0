/** Names that mean something else in a path. */
const dots = new Set([".", ".."]);
/** Blanks, control characters, what separates parts of a URL, and what has a meaning in scopes. */
const FORBIDDEN = /[\s\p{Cc}/\\?#%:*]/u;
/** An id is part of keys, and a key may have at most 1,024 bytes. */
const MAX_CHARS = 128;
/** Leaves room for the suffix of an owner. */
const MINTED_CHARS = 100;

/**
 * The id for a name: lower case, with one dash for everything between letters and digits.
 *
 * @param suffix  distinguishes users who give the same name; absent for an admin
 */
export function mintedId(name: string, suffix?: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MINTED_CHARS)
    .replace(/^-|-$/g, "");
  const id = words === "" ? "component" : words;
  return suffix === undefined ? id : `${id}-${suffix}`;
}

/**
 * Why an id that a client chose cannot be used.
 *
 * @returns undefined when it can
 * @source docs/interface/components.md 2.1
 */
export function idProblem(id: string): string | undefined {
  if (id === "") return "component_id is empty; leave it out to have one made from the name";
  if (dots.has(id)) return `component_id may not be ${id}`;
  if (id.length > MAX_CHARS) return `component_id may have ${MAX_CHARS} characters`;
  if (FORBIDDEN.test(id))
    return "component_id may not hold blanks, control characters or any of / \\ ? # % : *";
  return undefined;
}
