import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { StoreView } from "./stored.ts";

/** One place where text is stored: an item of a table, or a file of the platform. */
export type Place = { readonly where: string; readonly text: string };

/** Every item of every table, every object, the queues' files and the log, as text; packed values are unpacked. */
export async function everythingStored(view: Pick<StoreView, "read">, dataDir: string): Promise<Place[]> {
  const tables = await view.read();
  const items = Object.entries(tables).flatMap(([table, rows]) =>
    rows.map((row) => ({ where: `${table} ${row.pk} ${row.sk}`, text: JSON.stringify(row, unpacked) })),
  );
  return [...items, ...["s3", "sqs", "functions.log"].flatMap((name) => filesIn(join(dataDir, name)))];
}

/** Bytes as the text that is packed in them. */
const unpacked = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? textOf(Buffer.from(value)) : value;

function textOf(bytes: Buffer): string {
  const plain = bytes.toString("utf8");
  try {
    return plain + inflateRawSync(bytes).toString("utf8");
  } catch {
    return plain;
  }
}

function filesIn(path: string): Place[] {
  try {
    return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // as the file system throws
    if (code === "ENOENT") return [];
    if (code !== "ENOTDIR") throw error;
  }
  return [{ where: path, text: textOf(readFileSync(path)) }];
}
