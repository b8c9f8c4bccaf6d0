import { spawn } from "node:child_process";
import { once } from "node:events";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // No shell, to which a "&" in an address would mean something.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a page in the user's browser, if there is one. */
export async function openInBrowser(address: string): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  await Promise.race([once(child, "spawn"), once(child, "error")]).catch(() => undefined);
  child.unref();
}
