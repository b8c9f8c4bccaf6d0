import { connect, type Socket } from "node:net";
import { type HttpReply, replyReader } from "./http-reply.ts";

export type DynamoConnections = {
  /**
   * Sends a request to the database engine.
   *
   * @param abort  ends the request, and the connection with it
   * @throws when the engine cannot be reached or breaks the connection off
   */
  readonly send: (
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    abort?: AbortSignal,
  ) => Promise<HttpReply>;
  readonly close: () => void;
};

type Connection = { readonly socket: Socket; take: (reply: HttpReply | Error) => void };

/**
 * Connections to a database engine, each kept for the next request. They speak as much HTTP as the engines do: Node's own
 * client takes several times as long for a request of this size, and a background run makes dozens.
 *
 * @param endpoint  `http://<host>:<port>`
 */
export function dynamoConnections(endpoint: string): DynamoConnections {
  const { hostname, port, host } = new URL(endpoint);
  const idle: Connection[] = [];
  const open = new Set<Socket>();

  const newConnection = (): Connection => {
    const socket = connect({ host: hostname, port: Number(port || 80), noDelay: true });
    open.add(socket);
    const connection: Connection = { socket, take: () => {} };
    const read = replyReader();
    socket.on("data", (bytes) => {
      try {
        const reply = read(bytes);
        if (reply) connection.take(reply);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on("error", (error) => connection.take(error));
    socket.on("close", () => {
      open.delete(socket);
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      connection.take(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
    });
    return connection;
  };

  return {
    send: (headers, body, abort) =>
      new Promise((resolve, reject) => {
        const connection = idle.pop() ?? newConnection();
        const { socket } = connection;
        socket.ref();
        const stop = () => socket.destroy();
        abort?.addEventListener("abort", stop, { once: true });
        connection.take = (reply) => {
          connection.take = () => {};
          abort?.removeEventListener("abort", stop);
          if (reply instanceof Error) return reject(reply);
          if (reply.keepAlive) {
            // Nobody waits for it: it does not keep the thread.
            socket.unref();
            idle.push(connection);
          } else socket.destroy();
          resolve(reply);
        };
        socket.write(requestBytes(host, headers, body));
      }),
    close: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

function requestBytes(host: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Buffer {
  let head = `POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${body.length}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += "\r\n";
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, "latin1");
  bytes.set(body, head.length);
  return bytes;
}
