import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a recorded value as a text file that can be compared line by line. */
export function writeRecord(output: string, group: string, name: string, value: unknown): void {
  const text = typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
  const file = join(output, group, typeof value === "string" ? name : `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
