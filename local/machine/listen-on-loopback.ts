import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export type Listening = {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly address: string;
  /** Ends open connections as well. */
  readonly stop: () => Promise<void>;
};

/** Lets a server answer on loopback; see `listenOnLoopback`. */
export async function serveOnLoopback(server: HttpServer, port?: number): Promise<Listening> {
  const taken = await listenOnLoopback(server, port);
  return {
    address: `http://127.0.0.1:${taken}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * @param port  0: the machine chooses one
 * @returns the port it listens at
 * @throws what the machine says, for instance that the port is taken
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // The address of a listening TCP server is never a pipe name.
  return (server.address() as AddressInfo).port;
}
