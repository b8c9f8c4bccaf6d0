import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DB_ID } from "../../../shared/domain/databases/database.ts";

const REPOSITORY = "https://github.com/agno-agi/agno.git";
const TESTS = "libs/agno/tests/system";

export type FetchedTests = {
  /** Made for this call; the caller removes it. */
  readonly root: string;
  /** Where pytest starts. */
  readonly folder: string;
  /** The commit that they are of. */
  readonly commit: string;
};

/**
 * Fetches the peer's system tests into a temporary folder, and puts ids and addresses of this platform in place of their
 * server's. Its packages do not have them.
 *
 * @param from  a git repository: an address, or a folder of this machine; the peer's own when absent
 * @param ref   a branch or tag; the repository's default when absent
 * @throws Error that says what is missing: the repository cannot be read, or has no such tests
 */
export async function fetchTests(from: string = REPOSITORY, ref?: string): Promise<FetchedTests> {
  const root = mkdtempSync(join(tmpdir(), "peer-tests-"));
  try {
    return { root, ...(await fetchInto(root, from, ref)) };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

async function fetchInto(
  root: string,
  from: string,
  ref: string | undefined,
): Promise<Omit<FetchedTests, "root">> {
  const clone = join(root, "clone");
  const branch = ref === undefined ? [] : ["--branch", ref];
  await git(
    `${from} cannot be read`,
    "clone",
    "-q",
    "--depth=1",
    "--filter=blob:none",
    "--no-checkout",
    ...branch,
    from,
    clone,
  );
  await git(`${from} has no ${TESTS}`, "-C", clone, "checkout", "-q", "HEAD", "--", TESTS);
  const folder = join(clone, TESTS);
  if (!existsSync(join(folder, "tests"))) throw new Error(`${from} has no ${TESTS}/tests`);
  adapt(join(folder, "tests"));
  const commit = await git("", "-C", clone, "rev-parse", "--short", "HEAD");
  return { folder, commit: commit.trim() };
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

async function git(missing: string, ...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", words)).stdout;
  } catch (cause) {
    throw new Error(`The peer's tests are missing: ${missing}.`, { cause });
  }
}
