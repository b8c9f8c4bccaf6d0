import { delimiter, join } from "node:path";

/** Variables that a program needs. A developer's own settings of the platform would change what is recorded. */
const passedOn = ["PATH", "HOME", "TMPDIR", "LANG", "SystemRoot"];

/** The environment of a program of a side: the same on every machine, except for paths. */
export function plainEnvironment(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const path = `${join(folder, "node_modules", ".bin")}${delimiter}${process.env.PATH ?? ""}`;
  return { ...Object.fromEntries(inherited), TZ: "UTC", PATH: path, ...more };
}
