import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { dynamoConnections } from "../../local/dynamodb/dynamo-connections.ts";
import { replyReader } from "../../local/dynamodb/http-reply.ts";
import { listenOnLoopback } from "../../local/machine/listen-on-loopback.ts";

const whole = 'HTTP/1.1 200 OK\r\nContent-Type: text/x\r\ncontent-length: 9\r\n\r\n{"a":"ü"}';
const inChunks =
  'HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n5\r\n:"ü"}\r\n0\r\n\r\n';
const bytesOf = (text: string): Buffer => Buffer.from(text);

describe("an answer is read", () => {
  test.each([
    ["whole", bytesOf(whole.replace("length: 9", "length: 10")), 200],
    ["in chunks", bytesOf(inChunks.replace("5\r\n:", "6\r\n:")), 400],
  ])("%s, wherever its bytes are divided", (_, bytes, status) => {
    for (let at = 1; at < bytes.length; at++) {
      const read = replyReader();
      expect(read(bytes.subarray(0, at))).toBeUndefined();
      const reply = read(bytes.subarray(at));
      expect(reply).toMatchObject({ status, keepAlive: true });
      expect(reply?.body.toString()).toBe('{"a":"ü"}');
    }
  });

  test("with the names of its headers in lower case, and one after the other", () => {
    const read = replyReader();
    const first = read(
      bytesOf("HTTP/1.1 200 OK\r\nConnection: close\r\nX-Id: 7\r\ncontent-length: 0\r\n\r\n"),
    );
    expect(first).toMatchObject({ keepAlive: false, headers: { "x-id": "7" } });
    expect(read(bytesOf("HTTP/1.1 500 Oh\r\ncontent-length: 1\r\n\r\nx"))?.status).toBe(500);
  });

  test("unless it is none", () => {
    expect(() => replyReader()(bytesOf("SSH-2.0\r\n\r\n"))).toThrow(/answered SSH-2.0/);
  });
});

describe("connections to the engine", () => {
  let stop: () => void = () => {};
  afterEach(() => stop());

  async function serve(answer: (socket: Socket, request: string) => void) {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("data", (bytes) => answer(socket, bytes.toString()));
      socket.on("error", () => {});
    });
    const connections = dynamoConnections(`http://127.0.0.1:${await listenOnLoopback(server)}`);
    stop = () => {
      connections.close();
      server.close();
    };
    return { connections, sockets };
  }
  const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  const body = Buffer.from("{}");

  test("are kept, one for each request side by side", async () => {
    const asked: string[] = [];
    const { connections, sockets } = await serve((socket, request) => {
      asked.push(request);
      setTimeout(() => socket.write(ok), 20);
    });
    const send = () => connections.send({ "x-amz-target": "T.Op" }, body);
    await send();
    await send();
    expect(sockets).toHaveLength(1);
    await Promise.all([send(), send(), send()]);
    expect(sockets).toHaveLength(3);
    expect(asked[0]).toMatch(
      /^POST \/ HTTP\/1\.1\r\nhost: 127[^\r]*\r\ncontent-length: 2\r\nx-amz-target: T\.Op\r\n\r\n\{\}$/,
    );
  });

  test("that the engine closes are replaced", async () => {
    const { connections, sockets } = await serve((socket) => socket.write(ok));
    await connections.send({}, body);
    sockets[0]?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await connections.send({}, body)).body.toString()).toBe("ok");
    expect(sockets).toHaveLength(2);
  });

  test("that break off fail their request", async () => {
    const { connections } = await serve((socket) => socket.destroy());
    await expect(connections.send({}, body)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("end with a request that is given up", async () => {
    const { connections, sockets } = await serve(() => {});
    const abort = new AbortController();
    const sent = connections.send({}, body, abort.signal);
    setTimeout(() => abort.abort(), 20);
    await expect(sent).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test("fail where nothing listens", async () => {
    const { connections } = await serve(() => {});
    stop();
    const nowhere = dynamoConnections("http://127.0.0.1:9");
    await expect(nowhere.send({}, body)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    connections.close();
  });
});
