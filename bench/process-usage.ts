import { readdirSync, readFileSync } from "node:fs";

/** What a process and those that it started have used so far. */
export type ProcessUsage = {
  readonly cpuMs: number;
  /** Resident now. */
  readonly memoryMb: number;
  readonly threads: number;
};

/** The platform's own process, and the database engine below it. */
export type PlatformUsage = { readonly own: ProcessUsage; readonly database: ProcessUsage };

/** Ticks of a second in which Linux counts processor time, on every architecture. */
const TICKS_PER_SECOND = 100;

/** Undefined where the machine has no `/proc`. */
export function platformUsage(pid: number): PlatformUsage | undefined {
  try {
    const below = descendantsOf(pid).map(usageOf);
    const sum = (of: (usage: ProcessUsage) => number) => below.reduce((total, usage) => total + of(usage), 0);
    const database = {
      cpuMs: sum(({ cpuMs }) => cpuMs),
      memoryMb: sum(({ memoryMb }) => memoryMb),
      threads: sum(({ threads }) => threads),
    };
    return { own: usageOf(pid), database };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function usageOf(pid: number): ProcessUsage {
  const { ticks } = statOf(pid);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return {
    cpuMs: (ticks * 1000) / TICKS_PER_SECOND,
    memoryMb: figure("VmRSS") / 1024,
    threads: figure("Threads"),
  };
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), statOf(Number(name)).parent);
    } catch {
      // It has ended meanwhile.
    }
  }
  const childrenOf = (of: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === of ? [child, ...childrenOf(child)] : []));
  return childrenOf(pid);
}

/** @source proc(5): the name is in parentheses and may hold anything; state and parent follow it */
function statOf(pid: number): { parent: number; ticks: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}

/** Looks at the memory every 50 ms until it is stopped. */
export function watchMemory(pid: number): { readonly stop: () => { memoryMb: number; threads: number } } {
  let memoryMb = 0;
  let threads = 0;
  const look = () => {
    const own = platformUsage(pid)?.own;
    // A process below it that ends at this very moment cannot be read; the next look can.
    memoryMb = Math.max(memoryMb, own?.memoryMb ?? 0);
    threads = Math.max(threads, own?.threads ?? 0);
  };
  const timer = setInterval(look, 50);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return { memoryMb, threads };
    },
  };
}
