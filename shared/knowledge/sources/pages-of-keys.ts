import type { Listing, RemoteEntry, SourceQuery } from "./source.ts";

/** Pages of all files as an object store would list them: folders first, where a delimiter makes any. */
export function* pagesOfKeys(
  all: readonly RemoteEntry[],
  { prefix, limit, delimiter }: SourceQuery,
): Generator<Listing> {
  const folders = new Set<string>();
  const files: RemoteEntry[] = [];
  for (const file of all.filter(({ key }) => key.startsWith(prefix))) {
    const end = delimiter === "" ? -1 : file.key.indexOf(delimiter, prefix.length);
    if (end < 0) files.push(file);
    else folders.add(file.key.slice(0, end + delimiter.length));
  }
  const entries = [...[...folders].map((folder) => ({ folder })), ...files.map((file) => ({ file }))];
  for (let from = 0; from === 0 || from < entries.length; from += limit) {
    const some = entries.slice(from, from + limit);
    yield {
      folders: some.flatMap((entry) => ("folder" in entry ? entry.folder : [])),
      files: some.flatMap((entry) => ("file" in entry ? entry.file : [])),
      more: from + limit < entries.length,
    };
  }
}
