import { existsSync, readFileSync } from "node:fs";

/** Processor seconds that this process spent on what its files share, such as the start of their platform. */
let shared = 0;

/**
 * Processor time in seconds so far: of this process with its threads, and, on Linux, of the processes that it started and
 * that have ended. It leaves out what the files of a process share.
 */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildrenSeconds() - shared;
}

/** Does what the files of a process share: its processor time counts for none of them. */
export async function sharedByFiles<T>(work: () => Promise<T>): Promise<T> {
  const before = processorSeconds();
  const result = await work();
  shared += processorSeconds() - before;
  return result;
}

const STAT = "/proc/self/stat";
const TICKS_PER_SECOND = 100;

/** `cutime` and `cstime` of proc(5), which are the 14th and 15th value behind the name in parentheses. */
function endedChildrenSeconds(): number {
  if (!existsSync(STAT)) return 0;
  const stat = readFileSync(STAT, "utf8");
  const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(values[13]) + Number(values[14])) / TICKS_PER_SECOND;
}
