/** What is in every cloud. One name needs encoding in addresses and in XML. */
export const cloudFiles: Readonly<Record<string, string>> = {
  "manuals/2026/seal & gasket.md": "# Seal\nPangolins grease seals.",
  "manuals/2026/valve.md": "# Valve\nPangolins close valves.",
  "manuals/pump.txt": "Pangolins climb pumps.",
  "other.txt": "This was not asked for.",
};

export type ObjectPage = { readonly folders: string[]; readonly files: string[]; readonly next: string };

/** A page of keys as stores of objects give it: in order, folders counted like files. @param from  as `next` said */
export function objectPage(
  keys: readonly string[],
  asked: { prefix: string; delimiter: string; limit: number; from: string },
): ObjectPage {
  const { prefix, delimiter, limit, from } = asked;
  const shown = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? key : key.slice(0, end + 1);
    });
  const entries = [...new Set(shown)].toSorted();
  const at = Number(from || 0);
  const page = entries.slice(at, at + limit);
  const isFolder = (entry: string) => delimiter !== "" && entry.endsWith(delimiter);
  return {
    folders: page.filter(isFolder),
    files: page.filter((entry) => !isFolder(entry)),
    next: at + limit < entries.length ? String(at + limit) : "",
  };
}
