/**
 * Measures how long it takes from an address that is pasted into an MCP client to the first answer of an agent, and how many
 * clicks: `npm run bench:sign-in`. The client is the official one, the browser Chromium; no time passes between two clicks.
 */
import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
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
  const answered = Promise.withResolvers<URLSearchParams>();
  const server = await serveOnLoopback(
    createServer(({ url = "" }, response) => {
      response.end("Back in the program");
      if (url.startsWith("/callback")) answered.resolve(new URL(url, "http://program").searchParams);
    }),
  );
  const auth = provider(`${server.address}/callback`);
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
  await transport.finishAuth(await answered.promise);
  const { client, failed } = await connect();
  if (failed) throw failed;
  const ran = await client.callTool({
    name: "run_agent",
    arguments: { agent_id: "assistant", message: "Hello" },
  });
  if (!JSON.stringify(ran).includes("COMPLETED")) throw new Error(JSON.stringify(ran));
  const took = performance.now() - from;
  await Promise.all([client.close(), context.close()]);
  await server.stop();
  return took;
}

function provider(redirectUrl: string) {
  const kept: Record<string, unknown> = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: {
      client_name: "Bench",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    state: () => "bench",
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (address: URL) => {
      kept.address = address;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: (state: unknown) => {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
  };
}
