import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { plainEnvironment } from "../compare/plain-environment.ts";
import { endGroup, killGroup } from "../compare/process-group.ts";

/** The platform that a guide starts; a second start stops the first, as the guide instructs its reader to. */
export type GuidePlatform = {
  /** @throws Error with its output when it does not start */
  readonly start: (command: string) => Promise<void>;
  /** What the running one has printed so far. */
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
};

const READY_WITHIN_MS = 300_000;

export function guidePlatform(folder: string, env: Readonly<Record<string, string>>): GuidePlatform {
  let running: ChildProcess | undefined;
  let output = "";
  const append = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  const stop = async (): Promise<void> => {
    if (running) await endGroup(running);
    running = undefined;
  };
  // However this process ends, the platform must not keep running.
  process.once("exit", () => running && killGroup(running));
  return {
    stop,
    printed: () => output,
    start: async (command) => {
      await stop();
      output = "";
      running = spawn("bash", ["-c", command], {
        cwd: folder,
        env: plainEnvironment(folder, env),
        stdio: ["ignore", "pipe", "pipe"],
        // A process group of its own: npm does not forward signals to its children.
        detached: true,
      });
      running.stdout?.on("data", append);
      running.stderr?.on("data", append);
      await untilReady(running, () => output);
    },
  };
}

async function untilReady(child: ChildProcess, printed: () => string): Promise<void> {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await pause(50)) {
    if (/^Admin token/m.test(printed())) return;
    if (child.exitCode !== null) break;
  }
  throw new Error(`the platform does not start:\n${printed()}`);
}
