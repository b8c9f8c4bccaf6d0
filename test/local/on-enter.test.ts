import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";

const module = join(import.meta.dirname, "../../local/machine/on-enter.ts");
const program = `import { isAtTerminal, onEnter } from ${JSON.stringify(module)};
onEnter(() => console.log("pressed"));
console.log(process.pid + " reads: " + isAtTerminal());
setInterval(() => {}, 1000);`;
const command = `${process.execPath} --input-type=module -e '${program}'`;

/** Gives a program a terminal of its own; Linux's is meant, other systems' differs. */
const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

let end: () => void = () => {};
afterEach(() => end());

/** Runs a line of shell at a terminal, to which the test types. */
function atTerminal(line: string) {
  const child = spawn("/usr/bin/script", ["-qec", `/bin/bash -c "$LINE"`, "/dev/null"], {
    env: { ...process.env, LINE: line },
  });
  end = () => child.kill("SIGKILL");
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  return { type: (text: string) => child.stdin.write(text), output: () => output };
}

describe.skipIf(!hasTerminal)("Enter at a terminal", () => {
  test("reaches a program in the foreground", async () => {
    const { type, output } = atTerminal(`exec ${command}`);
    await expect.poll(output).toMatch(/reads: true/);
    for (const times of [1, 2]) {
      type("\n");
      await expect.poll(() => output().match(/pressed/g)?.length).toBe(times);
    }
  });

  test("does not stop a program in the background", async () => {
    const { type, output } = atTerminal(`set -m; ${command} & wait`);
    await expect.poll(output).toMatch(/reads: false/);
    const [, pid] = /(\d+) reads:/.exec(output()) ?? [];
    // Its letter of state: T for what the system has stopped.
    const state = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];
    type("\n\n");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(state()).toMatch(/[SR]/);
    expect(output()).not.toContain("pressed");
    process.kill(Number(pid), "SIGKILL");
  });
});
