import type { SettingOf } from "../../settings/values/sources.ts";
import type { SourcePorts } from "./access.ts";
import { callSource } from "./call-source.ts";
import { openLibrary } from "./sharepoint-library.ts";
import { type Listing, nameOfKey, type SourceQuery, type SourceReader } from "./source.ts";
import { SourceFault } from "./source-fault.ts";

/** Reads a document library of a SharePoint site by Microsoft Graph. It has folders, not prefixes. */
export function sharePointSource(setting: SettingOf<"sharepoint">, ports: SourcePorts): SourceReader {
  const { connection, itemAddress, childrenOf } = openLibrary(setting, ports);

  /** Lists one folder; with its subfolders, where the query wants all depths. */
  async function* folder(path: string, begin: string, query: SourceQuery): AsyncGenerator<Listing> {
    const below: string[] = [];
    for await (const { items, more } of childrenOf(path, query.limit)) {
      const named = items.filter(({ name }) => name.startsWith(begin));
      const folders = named.filter(({ folder }) => folder).map(({ name }) => `${path}${name}/`);
      const files = named
        .filter(({ file }) => file)
        .map(({ name, size, lastModifiedDateTime }) => ({
          key: `${path}${name}`,
          size: size ?? null,
          last_modified: lastModifiedDateTime ?? null,
        }));
      const isDeep = query.delimiter === "";
      if (isDeep) below.push(...folders);
      yield { folders: isDeep ? [] : folders, files, more: more || below.length > 0 };
    }
    for (const [i, path] of below.entries()) {
      for await (const listing of folder(path, "", query)) {
        yield { ...listing, more: listing.more || i < below.length - 1 };
      }
    }
  }

  return {
    read: async (key) => {
      const url = await itemAddress(key, "content");
      const { bytes, mime_type } = await callSource(connection, { url, missing: `There is no file ${key}.` });
      return { bytes, filename: nameOfKey(key), mime_type };
    },
    async *pages(query) {
      if (query.delimiter !== "" && query.delimiter !== "/") {
        throw new SourceFault("unsupported", "Folders of a SharePoint source end with a slash.");
      }
      const end = query.prefix.lastIndexOf("/") + 1;
      yield* folder(query.prefix.slice(0, end), query.prefix.slice(end), query);
    },
  };
}
