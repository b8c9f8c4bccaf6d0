import { type ChildProcess, spawn } from "node:child_process";

/**
 * The shell holds the read end of a pipe from this process. When this process ends, even by `kill -9`, the pipe closes,
 * `cat` returns and the child is killed. So no engine is left running with the database open.
 */
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( cat <&3 >/dev/null; kill "$child" 2>/dev/null ) &
wait "$child"
`;

export type GuardedChild = {
  /** The end of its output. */
  readonly output: () => string;
  /** Why the child ended, with the end of its output; undefined while it runs. */
  readonly ended: () => string | undefined;
  /** Ends the child and waits for its exit. */
  readonly stop: () => Promise<void>;
};

/** Starts a program that cannot outlive this process. */
export function startGuardedChild(command: string, args: readonly string[]): GuardedChild {
  const shell = spawn("/bin/sh", ["-c", guard, "sh", command, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const output = lastOutput(shell);
  let end: string | undefined;
  const exited = new Promise<void>((resolve) => {
    shell.once("exit", (code) => {
      end = `${command} ended with code ${code}: ${output()}`;
      resolve();
    });
    shell.once("error", (error) => {
      end = `${command} did not start: ${error.message}`;
      resolve();
    });
  });
  shell.stdin.on("error", () => {});
  return {
    output,
    ended: () => end,
    stop: async () => {
      shell.stdin.end();
      await exited;
    },
  };
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
