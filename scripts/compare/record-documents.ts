import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "./run-command.ts";
import { writeRecord } from "./write-record.ts";

/** Commands that generate files, and what they generate. */
const generated: Readonly<Record<string, readonly string[]>> = {
  client: ["client/operations.ts"],
  docs: ["docs/settings.md", "docs/job-states.md", "docs/stored-shapes.md"],
};

/** Generates the files of a side and records them. Removes the checked-in ones first: they would pass for generated. */
export async function recordDocuments(folder: string, output: string): Promise<void> {
  for (const [command, files] of Object.entries(generated)) {
    for (const file of files) rmSync(join(folder, file), { force: true });
    const { code, output: log } = await runCommand(folder, "npm", ["run", "--silent", command]);
    for (const file of files) {
      const path = join(folder, file);
      const text = existsSync(path) ? readFileSync(path, "utf8") : `not generated, code ${code}:\n${log}`;
      writeRecord(output, "documents", basename(file), text);
    }
  }
}
