import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DB_ID } from "../../../shared/domain/databases/database.ts";
import { type Fetched, fetchFiles } from "../fetch-files.ts";

const REPOSITORY = "https://github.com/agno-agi/agno.git";
/** The newest with tests that is known; the packages have none. */
const TAG = "v3.0.0a3";
const TESTS = "libs/agno/tests/system";

export type FetchedTests = Fetched & {
  /** Where pytest starts. */
  readonly folder: string;
};

/**
 * Fetches the peer's system tests into a temporary folder, and puts ids and addresses of this platform in place of their
 * server's. Its packages do not have them.
 *
 * @param repository  the peer's own when absent
 * @param ref         a branch or tag; when absent the newest that is known of the peer's, the default of another
 * @throws Error that says what is missing: the repository cannot be read, or has no such tests
 */
export async function fetchTests(repository?: string, ref?: string): Promise<FetchedTests> {
  const source = repository === undefined ? { repository: REPOSITORY, ref: TAG } : { repository, ref };
  const fetched = await fetchFiles({ ...source, folders: [TESTS] });
  const folder = join(fetched.root, TESTS);
  adapt(join(folder, "tests"));
  return { ...fetched, folder };
}

/** Addresses and ids that an instance chooses: one database, and one component behind AG-UI, at the root. */
const chosen: readonly (readonly [RegExp, string])[] = [
  [/\b(gateway|remote)-db\b/g, DB_ID],
  [/\/agui\/(local|remote|team)\//g, "/"],
];

function adapt(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".py"))) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      chosen.reduce((written, [theirs, ours]) => written.replace(theirs, ours), text),
    );
  }
}
