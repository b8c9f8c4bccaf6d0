import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { UserMachine } from "../user-machine.ts";

/** What a person types at which question. */
export type Typed = readonly (readonly [question: string, answer: string])[];

/**
 * Runs a command at a pseudo-terminal, as a person does: answers its questions, waits until the platform serves and its console has
 * been opened in the browser, and stops it with Ctrl-C. On Linux alone, where `script` and `xdg-open` are what they are.
 *
 * @returns what was shown, and the address that the browser was given
 * @throws Error with what was shown where the command ends before it serves
 */
export async function atTerminal(
  { place, env }: Pick<UserMachine, "place" | "env">,
  command: readonly string[],
  typed: Typed,
): Promise<{ readonly shown: string; readonly opened: string }> {
  const address = join(place, "opened");
  rmSync(address, { force: true });
  const programs = programsWith(place, "xdg-open", `#!/bin/sh\nprintf %s "$1" > "${address}"\n`);
  const line = command.map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    cwd: place,
    env: { ...env, PATH: `${programs}:${env.PATH}`, TERM: "xterm" },
  });
  let shown = "";
  let read = 0;
  const waiting = [...typed];
  const ready = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk;
    const [question, answer] = waiting[0] ?? [];
    if (question !== undefined && shown.includes(question, read)) {
      read = shown.length;
      waiting.shift();
      child.stdin.write(`${answer}\r`);
    }
    if (shown.includes("Stop with Ctrl+C.", read)) ready.resolve();
  });
  const ended = once(child, "exit");
  const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}:\n${shown}`)));
  await Promise.race([ready.promise, early]);
  while (!existsSync(address)) await Promise.race([pause(20), early]);
  early.catch(() => {});
  child.stdin.write("\u0003");
  await ended;
  if (waiting.length > 0)
    throw new Error(`it did not ask for ${waiting.map(([question]) => question)}:\n${shown}`);
  return { shown, opened: readFileSync(address, "utf8") };
}

/** A folder with a program of a person's machine, to come first where programs are looked for. */
function programsWith(place: string, name: string, text: string): string {
  const folder = join(place, "programs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
  return folder;
}
