/**
 * An address of the console.
 *
 * @param values  of its query; empty ones are left out
 */
export function addressOf(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return query === "" ? path : `${path}?${query}`;
}
