import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One folder holds all that the tests of a run write for a while, and goes with the run, also what a stopped process left. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "tests-"));
  // `os.tmpdir()` reads TEMP on Windows, and TMPDIR elsewhere.
  for (const name of ["TMPDIR", "TEMP"]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
