import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "../../shared/data/item.ts";
import type { Db } from "../../shared/stores/db.ts";
import { CHECKPOINT_SHAPE } from "../../shared/stores/runs/checkpoint.ts";
import { recordsOf } from "../support/migration-world.ts";
import { putItems } from "../support/put-items.ts";
import { type ScenarioName, type Suspended, scenarios, suspended } from "./scenarios.ts";

const folder = join(import.meta.dirname, "recorded");
const tables = ["jobs", "runs", "sessions"] as const;

/** Everything that a store holds of a run that was handed off. */
export type Recorded = Suspended & {
  readonly items: Readonly<Record<(typeof tables)[number], readonly Item[]>>;
};

const fileOf = (shape: number, name: string) => join(folder, `shape-${shape}`, `${name}.json`);

/** Bytes are written as base64. */
const BYTES = "$bytes";
const written = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString("base64") } : value;
const read = (_: string, value: unknown) => {
  const isBytes = typeof value === "object" && value !== null && BYTES in value;
  return isBytes ? new Uint8Array(Buffer.from(String(value[BYTES]), "base64")) : value;
};

/** What is checked in: shape and scenario of each recorded checkpoint. */
export const recorded = (): [shape: number, name: ScenarioName][] =>
  readdirSync(folder).flatMap((shapeFolder) =>
    readdirSync(join(folder, shapeFolder)).map((file): [number, ScenarioName] => [
      Number(shapeFolder.replace("shape-", "")),
      file.replace(".json", "") as ScenarioName, // files are written under these names
    ]),
  );

export const readRecorded = (shape: number, name: ScenarioName): Recorded =>
  JSON.parse(readFileSync(fileOf(shape, name), "utf8"), read);

/** Puts a scenario's run down in an empty store, and looks at all that is kept of it. */
export async function takeRecord(db: Db, name: ScenarioName): Promise<Recorded> {
  const down = await suspended(db, scenarios[name]);
  const [jobs, runs, sessions] = await Promise.all(tables.map((table) => recordsOf(db, table)));
  return { ...down, items: { jobs: jobs ?? [], runs: runs ?? [], sessions: sessions ?? [] } };
}

/** @throws when a checkpoint of this shape is recorded already: what a release wrote is never written anew */
export function writeRecorded(name: ScenarioName, record: Recorded): void {
  const file = fileOf(CHECKPOINT_SHAPE, name);
  if (existsSync(file)) throw new Error(`${file} is there; raise CHECKPOINT_SHAPE first`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, written, 1)}\n`);
}

export async function restore(db: Db, { items }: Recorded): Promise<void> {
  for (const table of tables) await putItems(db, table, items[table]);
}
