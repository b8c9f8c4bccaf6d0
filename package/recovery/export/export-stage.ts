import type { S3Client } from "@aws-sdk/client-s3";
import type { TableName } from "../../../shared/settings/table-env.ts";
import { inBatches } from "../../../shared/stores/in-batches.ts";
import type { RestorePlace } from "../restore-stage.ts";
import { OBJECTS_AT_ONCE, objectsOf, readObject, type StageObject } from "../stage-objects.ts";
import { scanTable } from "../table-access.ts";
import type { Destination } from "./destination.ts";
import { jsonLine } from "./json-lines.ts";

export type ExportPlace = Pick<RestorePlace, "resources" | "dynamo" | "s3" | "now" | "say">;

/** What an export holds; `manifest.json` in it, which is written last. */
export type Exported = {
  readonly format: 1;
  readonly stage: string;
  readonly region: string;
  /** ISO 8601: what was written between the two may be in it or not. */
  readonly began_at: string;
  readonly ended_at: string;
  readonly tables: Readonly<Record<string, { readonly items: number; readonly files: number }>>;
  readonly objects: { readonly count: number; readonly bytes: number };
};

/** A file has about this many bytes: whole ones are sent. */
const FILE_BYTES = 8_000_000;

/**
 * Writes every item of the tables as a line of JSON, and every object as it is:
 *
 *   tables/<table>/00000.jsonl, …   objects/<key>   manifest.json
 *
 * The service may work meanwhile; then the export is of no single instant.
 */
export async function exportStage(
  place: ExportPlace,
  to: Destination,
  tables: readonly TableName[],
): Promise<Exported> {
  const began_at = new Date(place.now()).toISOString();
  const written: Record<string, { items: number; files: number }> = {};
  for (const table of tables) {
    written[table] = await exportTable(place, to, table);
    place.say(`  ${table}: ${written[table].items} items`);
  }
  const objects = await exportObjects(place.s3, place.resources.bucket, to);
  place.say(`  ${objects.count} objects`);
  const { stage, region } = place.resources;
  const ended_at = new Date(place.now()).toISOString();
  const manifest: Exported = { format: 1, stage, region, began_at, ended_at, tables: written, objects };
  await to.put("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return manifest;
}

async function exportTable({ dynamo, resources }: ExportPlace, to: Destination, table: TableName) {
  const sums = { items: 0, files: 0 };
  let lines: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const text = lines.join("");
    const path = `tables/${table}/${String(sums.files).padStart(5, "0")}.jsonl`;
    sums.files += 1;
    [lines, bytes] = [[], 0];
    await to.put(path, Buffer.from(text));
  };
  await scanTable(dynamo, resources.tables[table], async (rows) => {
    for (const row of rows) {
      const line = jsonLine(row);
      lines.push(line);
      bytes += line.length;
      sums.items += 1;
    }
    if (bytes >= FILE_BYTES) await flush();
  });
  if (lines.length > 0) await flush();
  return sums;
}

async function exportObjects(s3: S3Client, Bucket: string, to: Destination) {
  const sums = { count: 0, bytes: 0 };
  const exportOne = async ([one]: StageObject[]): Promise<void> => {
    if (!one) return;
    const bytes = await readObject(s3, Bucket, one.key);
    await to.put(`objects/${one.key}`, bytes);
    sums.count += 1;
    sums.bytes += bytes.length;
  };
  for await (const page of objectsOf(s3, Bucket)) await inBatches(page, 1, exportOne, OBJECTS_AT_ONCE);
  return sums;
}
