import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export type Listening = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly address: string;
  /** Closes the server and its open connections. */
  readonly stop: () => Promise<void>;
};

/** Starts an HTTP server on loopback; see `listenOnLoopback`. */
export async function serveOnLoopback(server: HttpServer, port?: number): Promise<Listening> {
  const boundPort = await listenOnLoopback(server, port);
  return {
    address: `http://127.0.0.1:${boundPort}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * @param port  0: any free port
 * @returns the port that the server listens on
 * @throws the system's error, for instance EADDRINUSE
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // The address of a listening TCP server is never a pipe name.
  return (server.address() as AddressInfo).port;
}
