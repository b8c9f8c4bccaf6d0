/**
 * Measures how long it takes from an address that is pasted into an MCP client to the first answer of an agent, and how many
 * clicks: `npm run bench:sign-in`. The client is the official one, the browser Chromium; no time passes between two clicks.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { appSignIn, listeningProgram } from "../../test/support/app-sign-in.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { figuresOf, ms, printTable } from "../figures.ts";

const ROUNDS = 10;
const platform = await startPlatform();
const browser = await launchBrowser();
const times: number[] = [];
let clicks = 0;
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    clicks = 0;
    times.push(await firstCall());
  }
} finally {
  await browser.close();
  await platform.stop();
}
const { p50, p95 } = figuresOf(times);
printTable([
  { what: "paste to first answer of a tool: p50, p95", figure: [p50, p95].map(ms).join(", ") },
  { what: "clicks in the browser", figure: String(clicks) },
]);

/** @returns milliseconds, of a client and a browser that know nothing yet */
async function firstCall(): Promise<number> {
  const from = performance.now();
  const program = await listeningProgram();
  const auth = appSignIn(program.redirect_uri);
  const connect = async () => {
    const client = new Client({ name: "bench", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
      authProvider: auth as never,
    });
    return { client, transport, failed: await client.connect(transport as never).catch((error) => error) };
  };
  const { transport } = await connect();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(String(auth.kept.address));
  const press = async (name: string) => {
    await page.getByRole("button", { name }).click();
    clicks += 1;
  };
  await page.getByLabel("Access token").fill(platform.token("bench", ["agents:read", "agents:run"]));
  await press("Sign in with the token");
  await press("Allow");
  await transport.finishAuth(await program.answered);
  const { client, failed } = await connect();
  if (failed) throw failed;
  const ran = await client.callTool({
    name: "run_agent",
    arguments: { agent_id: "assistant", message: "Hello" },
  });
  if (!JSON.stringify(ran).includes("COMPLETED")) throw new Error(JSON.stringify(ran));
  const took = performance.now() - from;
  await Promise.all([client.close(), context.close()]);
  await program.stop();
  return took;
}
