import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { freePort } from "../../../local/machine/free-port.ts";
import { clientOf } from "../client.ts";
import type { RunningPlatform } from "../platform.ts";
import { kit } from "./run-kit.ts";

const Registered = v.object({ client_id: v.string() });
const Decided = v.object({ redirect_to: v.string() });

/**
 * Has the kit sign in at a platform, with a client that has registered itself, and allows it as a user does by the page of the console.
 *
 * @param folder   where the kit writes what it has checked
 * @returns what the kit printed
 */
export async function testSignIn(
  platform: RunningPlatform,
  folder: string,
  scopes: readonly string[],
): Promise<string> {
  const port = await freePort();
  const redirect_uri = `http://127.0.0.1:${port}/callback`;
  const registered = await clientOf(platform.url).post("/oauth/register", {
    json: { client_name: "Conformance", redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" },
  });
  const { client_id } = v.parse(Registered, registered.json);
  const asked = ["--url", platform.url, "--client-id", client_id, "--resource", `${platform.url}/mcp`];
  const args = [kit, "authorization", ...asked, "--port", String(port), "-o", folder];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines: string[] = [];
  let address = "";
  let refused: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.trim().startsWith(`${platform.url}/oauth/authorize?`)) address = line.trim();
    // It prints the address before it listens for the answer.
    if (!line.startsWith("Callback server started")) continue;
    await allow(platform, address, scopes).catch((error: unknown) => {
      refused = error;
      // The kit waits for minutes for what does not come.
      child.kill();
      child.stdout.destroy();
    });
  }
  await ended;
  if (refused !== undefined) throw refused;
  return lines.join("\n");
}

/** What a user does in the browser, as the console's page does it: it is sent on, allows all that is offered, and is sent back. */
async function allow(platform: RunningPlatform, address: string, scopes: readonly string[]): Promise<void> {
  const sentOn = await fetch(address, { redirect: "manual" });
  const page = new URL(sentOn.headers.get("location") ?? "", platform.url);
  const console = clientOf(platform.url, platform.token("maria", [...scopes]));
  const body = { ...Object.fromEntries(page.searchParams), approve: true, granted: scopes };
  const { redirect_to } = v.parse(Decided, (await console.post("/oauth/consent", { json: body })).json);
  await fetch(redirect_to);
}
