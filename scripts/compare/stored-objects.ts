import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { IsWanted, StoredItem } from "./stored-item.ts";
import { unpacked } from "./unpacked.ts";

/** Name of the group that objects are recorded under, beside the tables. */
const OBJECTS = "objects";
const CONTENT_ADDRESS = /[0-9a-f]{64}/g;

/**
 * Reads the objects in the buckets of a platform on this machine: one file per object. The digest of the content in a
 * file's name is left out, because the content contains ids; the content itself is recorded.
 */
export async function readStoredObjects(dataDir: string, isWanted: IsWanted): Promise<StoredItem[]> {
  const folder = join(dataDir, "s3");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.includes("~"))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const objects = paths
    .filter((path) => isWanted({ key: path, text: path }))
    .map(async (path) => {
      const bytes = await readIfThere(join(folder, path));
      const key = path.split(sep).join("/").replace(CONTENT_ADDRESS, "<digest>");
      return bytes ? [{ table: OBJECTS, item: { key, content: unpacked(bytes) } }] : [];
    });
  return (await Promise.all(objects)).flat();
}

/** A worker may remove an object after it was listed. */
async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * A pointer to an object, without the parts that depend on the object's content; and what the audit records of a long fact,
 * without its digest: the fact has times.
 */
export function plainPointer(value: object): object | undefined {
  if ("chars" in value && "sha256" in value) return { ...value, sha256: "<digest>" };
  if (!("key" in value && "sha256" in value && "bytes" in value)) return undefined;
  return {
    ...value,
    key: String(value.key).replace(CONTENT_ADDRESS, "<digest>"),
    sha256: "<digest>",
    bytes: "<bytes>",
  };
}
