import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** Outside of the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), which any new socket may get. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/**
 * A port on loopback that was free a moment ago and is not assigned as an ephemeral port. Another process may still
 * bind it first, so the caller must be able to try again.
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
