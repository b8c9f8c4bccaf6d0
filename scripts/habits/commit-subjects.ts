import { execFileSync } from "node:child_process";

/** More is cut off where a history is listed. */
const MOST_CHARACTERS = 72;

export type Commit = { readonly id: string; readonly subject: string };

/** The commits since this branch left `main` whose subjects are too long; none where there is no history to look at. */
export const checkCommitSubjects = (root: string): string[] => longSubjects(ownCommits(root));

export const longSubjects = (commits: readonly Commit[]): string[] =>
  commits
    .filter(({ subject }) => subject.length > MOST_CHARACTERS)
    .map(
      ({ id, subject }) => `${id} has ${subject.length} characters, at most ${MOST_CHARACTERS}: ${subject}`,
    );

function ownCommits(root: string): Commit[] {
  const base = ["origin/main", "main"].map((name) => git(root, ["merge-base", "HEAD", name])).find(Boolean);
  if (base === undefined) return [];
  const log = git(root, ["log", "--no-merges", "--format=%h %s", `${base}..HEAD`]) ?? "";
  return log
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const space = line.indexOf(" ");
      return { id: line.slice(0, space), subject: line.slice(space + 1) };
    });
}

/** @returns undefined where Git is missing, or knows no such revision: an unpacked archive, a shallow clone */
function git(root: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
