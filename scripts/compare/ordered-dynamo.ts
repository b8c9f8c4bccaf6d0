import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { startDynamo } from "../../local/dynamodb/dynamo-engine.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { sortedMembers } from "./sorted-members.ts";

export type OrderedDynamo = {
  readonly endpoint: string;
  /** Address of the engine itself, without the sorting. */
  readonly engineEndpoint: string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a DynamoDB in memory that returns the members of every map sorted by name. An engine returns them in any
 * order, which would then differ in prompts, in texts about calls and in stored values.
 */
export async function startOrderedDynamo(): Promise<OrderedDynamo> {
  await using started = new AsyncDisposableStack();
  const engine = await startDynamo();
  started.defer(engine.stop);
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    void forward(engine.endpoint, incoming, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  const proxy = await serveOnLoopback(server);
  started.defer(proxy.stop);
  const running = started.move();
  return { endpoint: proxy.address, engineEndpoint: engine.endpoint, stop: () => running.disposeAsync() };
}

const forwarded = ["authorization", "content-type", "x-amz-date", "x-amz-target"];

async function forward(endpoint: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = forwarded.map((name) => [name, String(incoming.headers[name] ?? "")] as const);
  const body = new Uint8Array(await readBody(incoming));
  const answer = await fetch(endpoint, { method: "POST", headers: Object.fromEntries(headers), body });
  const text = await answer.text();
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  // Errors are sorted too: that of a failed condition contains the item that was found.
  response.end(isJson(text) ? JSON.stringify(sortedMembers(JSON.parse(text))) : text);
}

const isJson = (text: string): boolean => text.startsWith("{");
