/** `id` is null for a scope on the whole resource. */
export type Scope = { readonly resource: string; readonly id: string | null; readonly action: string };

/** `system` is the older name of `config`. */
const resourceOf = (name: string): string => (name === "system" ? "config" : name);

/**
 * Two parts or three; everything else is no scope and matches nothing.
 *
 * @source docs/interface/access.md 5.1
 */
export function parseScope(text: string): Scope | undefined {
  const parts = text.split(":");
  const [first = "", second = "", third] = parts;
  const resource = resourceOf(first);
  if (parts.length === 2) return { resource, id: null, action: second };
  if (parts.length === 3 && third !== undefined) {
    return { resource, id: second === "*" ? null : second, action: third };
  }
  return undefined;
}
