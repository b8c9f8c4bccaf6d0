import { type ChildProcess, spawn } from "node:child_process";

/**
 * What the guard does: it waits at a pipe from this process. When this process ends, even by `kill -9`, the pipe closes, and the guard
 * ends the child. So no engine is left running with the database open. It waits without an event loop, and takes 13 MB.
 */
const guard = `
try { require("node:fs").readSync(0, Buffer.alloc(1)); } catch {}
try { process.kill(Number(process.argv[1])); } catch {}
`;

export type GuardedChild = {
  /** The end of its output. */
  readonly output: () => string;
  /** Why the child ended, with the end of its output; undefined while it runs. */
  readonly ended: () => string | undefined;
  /** Ends the child and waits for its exit. */
  readonly stop: () => Promise<void>;
};

/** Starts a program that cannot outlive this process. The keys that stop this process at a terminal do not reach it. */
export function startGuardedChild(command: string, args: readonly string[]): GuardedChild {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...apart });
  const output = lastOutput(child);
  const watching = child.pid === undefined ? undefined : startGuard(child.pid);
  let end: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const hasEnded = (why: string): void => {
      end = why;
      // The number of the process may be given to another one from now on.
      watching?.kill("SIGKILL");
      resolve();
    };
    child.once("exit", (code, signal) =>
      hasEnded(`${command} ended with ${signal === null ? `code ${code}` : signal}: ${output()}`),
    );
    child.once("error", (error) => hasEnded(`${command} did not start: ${error.message}`));
  });
  return {
    output,
    ended: () => end,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}

/** Ctrl+C is sent to all that share a terminal; this process stops the child when nothing needs it any more. */
const apart = process.platform === "win32" ? { windowsHide: true } : { detached: true };

/** On Windows none is needed: the system ends the children of a process that ends, which Node has it do. @source libuv, `uv_spawn` */
function startGuard(pid: number): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const watching = spawn(process.execPath, ["-e", guard, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // A debugger of this process is not one of the guard.
    env: { ...process.env, NODE_OPTIONS: "" },
    ...apart,
  });
  watching.on("error", () => {});
  watching.stdin.on("error", () => {});
  watching.unref();
  return watching;
}

function lastOutput(child: ChildProcess): () => string {
  let text = "";
  const append = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-2000);
  };
  child.stdout?.on("data", append);
  child.stderr?.on("data", append);
  return () => text.trim();
}
