/** What is read of `/openapi.json`. */
export type InterfaceDescription = {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly security?: readonly Record<string, readonly string[]>[] }>>
    >
  >;
};

/**
 * The scopes that an interface description names for the route of a `curl` command; none where it asks something else.
 *
 * @param command  with an address that begins with `$API`
 */
export function describedScopes(description: InterfaceDescription, command: string): string[] {
  const [, address] = /\$API([^\s"'?]*)/.exec(command) ?? [];
  if (address === undefined) return [];
  const [, asked] = /(?:-X|--request)\s+([A-Z]+)/.exec(command) ?? [];
  const method = (asked ?? (/\s(--json|-F|-d|--data)\b/.test(command) ? "POST" : "GET")).toLowerCase();
  const operations = Object.entries(description.paths).filter(([path]) => isPathOf(path, address));
  // A path without parameters is the more exact one.
  const [route] = operations.toSorted(([a], [b]) => a.split("{").length - b.split("{").length);
  return (route?.[1][method]?.security ?? []).flatMap((needed) => Object.values(needed).flat());
}

const isPathOf = (path: string, address: string): boolean =>
  new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(address);
