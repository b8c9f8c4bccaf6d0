import { readdirSync, readFileSync } from "node:fs";

const ENGINES = /dynoxide|DynamoDBLocal/;

/** `kill -9` for the database below a platform's process. @returns whether there was one */
export function killDatabaseOf(platform: number | undefined): boolean {
  if (platform === undefined) return false;
  const engines = processes().filter(({ pid, command }) => ENGINES.test(command) && isBelow(platform, pid));
  const engine = engines.at(-1);
  if (!engine) return false;
  process.kill(engine.pid, "SIGKILL");
  return true;
}

type Process = { readonly pid: number; readonly parent: number; readonly command: string };

function processes(): Process[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function isBelow(ancestor: number, pid: number): boolean {
  const parents = new Map(processes().map((one) => [one.pid, one.parent]));
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at))
    if (at === ancestor) return true;
  return false;
}
