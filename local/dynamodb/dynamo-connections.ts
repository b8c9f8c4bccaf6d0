import { connect, type Socket } from "node:net";
import { type HttpReply, replyReader } from "./http-reply.ts";

export type DynamoConnections = {
  /**
   * Sends a request to the database engine.
   *
   * @param abort  cancels the request and closes its connection
   * @throws when the engine cannot be reached or closes the connection
   */
  readonly send: (
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    abort?: AbortSignal,
  ) => Promise<HttpReply>;
  readonly close: () => void;
};

type Connection = { readonly socket: Socket; onReply: (reply: HttpReply | Error) => void };

/**
 * A pool of connections to a database engine. It implements only the part of HTTP that the engines use: Node's own
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
    const connection: Connection = { socket, onReply: () => {} };
    const read = replyReader();
    socket.on("data", (bytes) => {
      try {
        const reply = read(bytes);
        if (reply) connection.onReply(reply);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on("error", (error) => connection.onReply(error));
    socket.on("close", () => {
      open.delete(socket);
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      connection.onReply(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
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
        connection.onReply = (reply) => {
          connection.onReply = () => {};
          abort?.removeEventListener("abort", stop);
          if (reply instanceof Error) return reject(reply);
          if (reply.keepAlive) {
            // An idle connection must not keep the thread alive.
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
