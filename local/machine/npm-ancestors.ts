import { execFileSync } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

const CHECK_EVERY_MS = 1000;

/**
 * Calls back once npm, or the shell that npm starts a script with, has ended. A signal to npm alone ends them and not this
 * process, which would go on with the port and the data of the folder. Watches nothing where npm did not start the process.
 *
 * @param environment  of this process; npm says in it which command it runs
 * @returns            stops watching
 */
export function onNpmEnded(environment: Environment, ended: () => void): () => void {
  const ancestors = startedByNpm(environment) ? npmAncestors() : [];
  if (ancestors.length === 0) return () => {};
  const timer = setInterval(() => {
    if (ancestors.every(isAlive)) return;
    clearInterval(timer);
    ended();
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** `npm start`, `npm run dev` and `npx agent-platform …`; other scripts may start a platform that outlives them. */
function startedByNpm({ npm_command: command, npm_lifecycle_event: script = "" }: Environment): boolean {
  return command === "exec" || (command !== undefined && ["start", "dev"].includes(script));
}

/** The parent, and its own parent where that can be found out: npm starts a shell, and the shell this process. */
function npmAncestors(): number[] {
  const shell = process.ppid;
  const npm = parentOf(shell);
  return npm === undefined ? [shell] : [shell, npm];
}

/** Undefined where `ps` does not know, as on Windows. */
function parentOf(pid: number): number | undefined {
  try {
    const parent = Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
    return parent > 1 ? parent : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be signalled, and is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
