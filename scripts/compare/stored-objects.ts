import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { StoredItem } from "./stored-item.ts";
import { unpacked } from "./unpacked.ts";

/** Name of the group that objects are recorded under, beside the tables. */
const OBJECTS = "objects";
const CONTENT_ADDRESS = /[0-9a-f]{64}/g;

/**
 * Reads what the buckets of a platform on this machine hold: a file for each object. Its name ends with a digest of its
 * content, which is left out: the content holds ids, and is recorded itself.
 */
export async function readStoredObjects(
  dataDir: string,
  isWanted: (text: string) => boolean,
): Promise<StoredItem[]> {
  const folder = join(dataDir, "s3");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.includes("~"))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return Promise.all(
    paths.filter(isWanted).map(async (path) => {
      const key = path.split(sep).join("/").replace(CONTENT_ADDRESS, "<digest>");
      return { table: OBJECTS, item: { key, content: unpacked(await readFile(join(folder, path))) } };
    }),
  );
}

/** A pointer to an object, without what follows from the object's content. */
export function plainPointer(value: object): object | undefined {
  if (!("key" in value && "sha256" in value && "bytes" in value)) return undefined;
  return {
    ...value,
    key: String(value.key).replace(CONTENT_ADDRESS, "<digest>"),
    sha256: "<digest>",
    bytes: "<bytes>",
  };
}
