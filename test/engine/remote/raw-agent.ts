import { createServer, type ServerResponse } from "node:http";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";

export type Asked = {
  readonly method: string;
  readonly id: unknown;
  /** Sends the result of a stream's next event. */
  readonly send: (result: object) => void;
  /** Answers with one result. */
  readonly reply: (result: object) => void;
  readonly response: ServerResponse;
};

/** An agent that answers exactly what a test says, by JSON-RPC of A2A 1.0, or on any path by `rest`. */
export async function rawAgent(answer: (asked: Asked) => void | Promise<void>, card: object = {}) {
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/card.json") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(cardAt()));
      return;
    }
    const text = Buffer.concat(await request.toArray()).toString();
    const { method = `${request.method} ${request.url}`, id } = text === "" ? {} : JSON.parse(text);
    methods.push(method);
    const wrapped = (result: object) => (id === undefined ? result : { jsonrpc: "2.0", id, result });
    await answer({
      ...{ method, id, response },
      send: (result) => {
        if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(wrapped(result))}\n\n`);
      },
      reply: (result) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(wrapped(result))),
    });
  });
  const { address, stop } = await serveOnLoopback(server);
  const close = async () => {
    server.closeAllConnections();
    await stop();
  };
  const cardAt = () => ({
    ...{ name: "Raw", description: "Says what a test wants.", version: "1", skills: [] },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    supportedInterfaces: [{ url: address, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" }],
    capabilities: { streaming: true, pushNotifications: false },
    ...card,
    ...("url" in card && { url: address }),
  });
  return { card: `${address}/card.json`, host: new URL(address).host, methods, stop: close };
}

export type RawAgent = Awaited<ReturnType<typeof rawAgent>>;

const ids = { taskId: "task-1", contextId: "context-1" };

/** The events of one task by version 1.0. */
export const events = {
  task: (state: string, more: object = {}) => ({ task: taskOf(state, more) }),
  status: (state: string, said?: string) => ({
    statusUpdate: { ...ids, status: { state, ...(said !== undefined && { message: messageOf(said) }) } },
  }),
  text: (text: string, append: boolean) => ({
    artifactUpdate: { ...ids, artifact: { artifactId: "answer", parts: [{ text }] }, append },
  }),
};

export const taskOf = (state: string, more: object = {}) => ({
  ...{ id: ids.taskId, contextId: ids.contextId, status: { state } },
  ...more,
});

let said = 0;
const messageOf = (text: string) => ({
  ...{ messageId: `m-${++said}`, role: "ROLE_AGENT", parts: [{ text }], ...ids },
});
