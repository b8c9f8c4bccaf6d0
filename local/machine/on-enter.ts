import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";

/** Whether the process was started at a terminal, where a user may type. */
export const isAtTerminal = (): boolean => isatty(0) && isInForeground();

/**
 * Calls back whenever the user at the terminal presses Enter. A process in the background may not read its terminal: the
 * system stops it (SIGTTIN). So it reads in the foreground alone, and asks again where it is after it was stopped. What
 * waits for keys does not keep the process.
 */
export function onEnter(pressed: () => void): void {
  if (!isatty(0)) return;
  const follow = (): void => {
    const { stdin } = process;
    stdin.off("data", pressed);
    if (isInForeground()) stdin.on("data", pressed).unref();
    else stdin.pause();
  };
  process.on("SIGCONT", follow);
  if (isInForeground()) follow();
}

/** Whether its process group is the one that the terminal belongs to; false where that is unknown. Windows has no such groups. */
function isInForeground(): boolean {
  if (process.platform === "win32") return true;
  try {
    const [group, foreground] = process.platform === "linux" ? groupsOfLinux() : groupsByPs();
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}

/** @source proc(5), `/proc/pid/stat`: the name of the program, in brackets, may hold blanks; pgrp and tpgid follow it */
function groupsOfLinux(): (string | undefined)[] {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [group, foreground];
}

const groupsByPs = (): string[] =>
  execFileSync("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], { encoding: "utf8" })
    .trim()
    .split(/\s+/);
