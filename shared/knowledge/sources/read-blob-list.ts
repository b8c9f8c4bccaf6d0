import type { RemoteEntry } from "./source.ts";

export type BlobList = {
  readonly folders: readonly string[];
  readonly files: readonly RemoteEntry[];
  /** Where the next part begins; empty at the end. */
  readonly next: string;
};

type Blob = Record<string, string>;

/**
 * Reads the answer of "List Blobs". The parser is loaded with the first one.
 *
 * @param xml  an `EnumerationResults`
 */
export async function readBlobList(xml: string): Promise<BlobList> {
  const { Parser } = await import("htmlparser2");
  const folders: string[] = [];
  const blobs: Blob[] = [];
  const path: string[] = [];
  let entry: Blob = {};
  let text = "";
  let next = "";
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        text = "";
        if (name === "Blob" || name === "BlobPrefix") entry = {};
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name) {
        path.pop();
        if (name === "Blob") blobs.push(entry);
        else if (name === "BlobPrefix") folders.push(entry.Name ?? "");
        else if (name === "NextMarker") next = text;
        else if (path.includes("Blob") || path.includes("BlobPrefix")) entry[name] = text;
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  // An account with a hierarchical namespace lists its folders among the blobs.
  const files = blobs.filter(({ ResourceType }) => ResourceType !== "directory").map(entryOf);
  return { folders, files, next };
}

const entryOf = ({ Name = "", "Content-Length": size, "Last-Modified": changed }: Blob): RemoteEntry => ({
  key: Name,
  size: size === undefined ? null : Number(size),
  last_modified: changed === undefined ? null : new Date(changed).toISOString(),
});
