import { type ChildProcess, spawn } from "node:child_process";

/**
 * The shell holds the read end of a pipe from us. However we end, `kill -9` included, the pipe closes, `cat` comes
 * back and the child is stopped. So no engine stays behind holding the database.
 */
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( cat <&3 >/dev/null; kill "$child" 2>/dev/null ) &
wait "$child"
`;

export type GuardedChild = {
  /** The last of what it wrote. */
  readonly said: () => string;
  /** Set once the child has ended, with the last of what it wrote. */
  readonly ended: () => string | undefined;
  /** Ends the child and waits until it is gone. */
  readonly stop: () => Promise<void>;
};

/** Starts a program that cannot outlive this process. */
export function startGuardedChild(command: string, args: readonly string[]): GuardedChild {
  const shell = spawn("/bin/sh", ["-c", guard, "sh", command, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const said = lastWords(shell);
  let end: string | undefined;
  const gone = new Promise<void>((resolve) => {
    shell.once("exit", (code) => {
      end = `${command} ended with code ${code}: ${said()}`;
      resolve();
    });
    shell.once("error", (error) => {
      end = `${command} did not start: ${error.message}`;
      resolve();
    });
  });
  shell.stdin.on("error", () => {});
  return {
    said,
    ended: () => end,
    stop: async () => {
      shell.stdin.end();
      await gone;
    },
  };
}

function lastWords(child: ChildProcess): () => string {
  let text = "";
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-2000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return () => text.trim();
}
