import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What runs on the machine of whoever uses the platform. `functions/` and `shared/` run on Lambda too, and here. */
const rooms = ["bin", "build", "client", "functions", "lib", "local", "package", "shared"];

type Habit = {
  readonly found: RegExp;
  /** What is done in its place. */
  readonly instead: string;
};

/** What is there on Linux and macOS and not on Windows. */
const onlyPosix: readonly Habit[] = [
  { found: /["'`]\/(bin|usr|dev|tmp|etc|proc|var)\b(?!\/task)/, instead: "node:os has tmpdir() and devNull" },
  { found: /shell: (true|process)/, instead: "managerCommand starts what npm and its like are called by" },
  {
    found:
      /(spawn|spawnSync|execFile|execFileSync)\(\s*["'](npm|npx|pnpm|yarn|bun|sh|bash|cat|kill|rm|cp|which)["']/,
    instead: "managerCommand, or Node's own functions",
  },
  { found: /\bexecSync\(|[^.\w]exec\(\s*["'`]/, instead: "spawn with a list of arguments" },
  { found: /process\.get(e?[ug]id|groups)\(/, instead: "nothing may depend on it" },
  { found: /new URL\([^)]*import\.meta\.url\)\.pathname/, instead: "fileURLToPath, which knows drives" },
  { found: /await import\((join|resolve)\(/, instead: "pathToFileURL: a drive is no protocol" },
  { found: /symlinkSync|symlink\(/, instead: "a copy where a link is refused" },
  { found: /process\.env\.HOME\b/, instead: "homedir()" },
  { found: /execFileSync\(["']ps["']/, instead: "nothing may depend on it" },
];

/** Each asks which system it is on, or goes on without. */
const exceptions: Readonly<Record<string, string>> = {
  "local/machine/on-enter.ts": "asks for groups of processes, which Windows does not have",
  "local/machine/npm-ancestors.ts": "goes on without where `ps` is not there",
  "lib/functions/function-code.ts": "copies where a link is refused",
};

const sources = rooms
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && /\.(ts|mjs)$/.test(one.name))
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)),
  )
  .filter((path) => !path.startsWith("package/template"));

const code = (path: string): string =>
  readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

describe("what runs on a user's machine has nothing that only POSIX has", () => {
  test.each(onlyPosix.map(({ found, instead }) => [String(found), found, instead] as const))(
    "%s",
    (_, found, instead) => {
      const places = sources.filter((path) => !(path in exceptions) && found.test(code(path)));
      expect(places, instead).toEqual([]);
    },
  );

  test("and each exception is still needed", () => {
    const unneeded = Object.keys(exceptions).filter(
      (path) => !onlyPosix.some(({ found }) => found.test(code(path))),
    );
    expect(unneeded).toEqual([]);
    expect(sources.length).toBeGreaterThan(500);
  });
});
