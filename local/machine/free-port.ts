import { createServer } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** A port on loopback that was free a moment ago. The caller must be ready to lose the race for it. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
