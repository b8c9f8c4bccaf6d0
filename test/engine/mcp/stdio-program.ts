import { appendFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/**
 * An MCP server that is started as a program. It gives its environment, counts its calls, and ends at once where it is asked to; the file
 * `SEEN` gets a line for each start.
 */
if (process.env.SEEN) appendFileSync(process.env.SEEN, "started\n");
let calls = 0;
const inputSchema = { type: "object" as const };
serveStdio(() => {
  const server = new Server({ name: "program", version: "1" }, { capabilities: { tools: {} } });
  const names = ["environment", "count", "end"];
  server.setRequestHandler("tools/list", async () => ({
    tools: names.map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    if (params.name === "end") process.exit(0);
    calls += 1;
    const text = params.name === "count" ? String(calls) : Object.keys(process.env).join();
    return { content: [{ type: "text" as const, text }] };
  });
  return server;
});
