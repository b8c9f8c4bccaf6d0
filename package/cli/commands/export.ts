import { S3Client } from "@aws-sdk/client-s3";
import { openDestination } from "../../recovery/export/destination.ts";
import { exportStage } from "../../recovery/export/export-stage.ts";
import { restoredTables } from "../../recovery/restored-tables.ts";
import { connectPlace, included } from "../recovery-place.ts";

export type ExportAsked = {
  readonly stage: string;
  /** `s3://bucket/prefix`, or the path of a folder. */
  readonly to: string;
  readonly include?: readonly string[];
  readonly json?: true;
  readonly profile?: string;
};

/** Writes everything that a stage stores as lines of JSON. @throws RecoveryError where it cannot */
export async function exportAll({ stage, to, include, json, profile }: ExportAsked): Promise<void> {
  const tables = restoredTables(included(include));
  const say = (line: string): void => (json ? console.error(line) : console.log(line));
  const place = await connectPlace({ stage, profile }, say);
  const given = { region: place.resources.region, ...(profile !== undefined && { profile }) };
  // A bucket of another region answers where it is.
  const destination = openDestination(to, new S3Client({ ...given, followRegionRedirects: true }));
  say(`Stage ${stage} (${place.resources.region}) is written to ${destination.name}.`);
  const exported = await exportStage(place, destination, tables);
  if (json) console.log(JSON.stringify({ to: destination.name, ...exported }, null, 2));
  else console.log(`Written. ${destination.name}/manifest.json says what there is.`);
}
