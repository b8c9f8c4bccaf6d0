import { spawn } from "node:child_process";
import { once } from "node:events";
import { addressOf, type Place } from "../connect.ts";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens the console in the browser; prints its address in any case. */
export async function openConsole(options: Place): Promise<void> {
  const address = `${addressOf(options)}/console`;
  console.log(address);
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // Without a browser the address is there to be copied.
  await Promise.race([once(child, "spawn"), once(child, "error")]).catch(() => undefined);
  child.unref();
}
