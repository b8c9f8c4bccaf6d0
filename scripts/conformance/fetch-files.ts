import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where files come from. */
export type Source = {
  /** A git repository: an address, or a folder of this machine. */
  readonly repository: string;
  /** A branch or tag; the repository's default when absent. */
  readonly ref?: string | undefined;
  /** The folders that are needed. */
  readonly folders: readonly string[];
};

export type Fetched = {
  /** Made for this call; the caller removes it. */
  readonly root: string;
  /** The commit that the files are of. */
  readonly commit: string;
};

/**
 * Fetches folders of a git repository into a temporary folder, and nothing else of it.
 *
 * @throws Error that says what is missing: the repository cannot be read, or has no such folder
 */
export async function fetchFiles({ repository, ref, folders }: Source): Promise<Fetched> {
  const root = mkdtempSync(join(tmpdir(), "fetched-files-"));
  const branch = ref === undefined ? [] : ["--branch", ref];
  const shallow = ["--depth=1", "--filter=blob:none", "--no-checkout"];
  try {
    await git(`${repository} cannot be read`, "clone", "-q", ...shallow, ...branch, repository, root);
    const lacks = `${repository} has no ${folders.join(", ")}`;
    await git(lacks, "-C", root, "checkout", "-q", "HEAD", "--", ...folders);
    return { root, commit: (await git(lacks, "-C", root, "rev-parse", "--short", "HEAD")).trim() };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

async function git(missing: string, ...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", words)).stdout;
  } catch (cause) {
    throw new Error(`Files are missing: ${missing}.`, { cause });
  }
}
