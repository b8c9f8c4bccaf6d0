import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** Systems give sockets that ask for any port one from 32768 (Linux) or 49152 upwards, at any moment; none from here. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/**
 * A port on loopback that was free a moment ago, and that no connection or server gets by chance. The caller must still
 * be ready to lose the race for it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    const server = createServer();
    try {
      await listenOnLoopback(server, port);
    } catch (error) {
      if (isTaken(error)) continue;
      throw error;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES");
