import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { HANGS_AFTER_MS } from "./hangs-after.ts";

/** A message as a receiver got it. */
export type Received = {
  readonly path: string;
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly signatures: readonly string[];
  /** Every header, in lower case. */
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
  readonly body: any;
  /** Whether one of its signatures is by this secret. */
  readonly isSignedBy: (secret: string) => boolean;
};

type Answering = (received: Received, response: ServerResponse) => void;

const ok: Answering = (_received, response) => void response.writeHead(204).end();

/** A receiver of webhooks in the test's own process, which checks signatures with the library that receivers use. */
export async function startReceiver() {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  let answer = ok;
  const server = createServer(async (request, response) => {
    const message = await messageOf(request);
    received.push(message);
    for (const wake of waiting.splice(0)) wake();
    answer(message, response);
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    url: `${address}/hooks`,
    /** With its port, as FETCH_ALLOWED_HOSTS names it. */
    host: new URL(address).host,
    received,
    /** Messages about one run, in the order in which they came. */
    about: (runId: string) => received.filter(({ body }) => body.data?.run_id === runId),
    /** Decides how messages are answered from now on; 204 when absent. */
    decide(next: Answering = ok) {
      answer = next;
    },
    /** Waits for a message. */
    async until(matches: (message: Received) => boolean, withinMs = HANGS_AFTER_MS): Promise<Received> {
      for (const end = Date.now() + withinMs; ; ) {
        const found = received.find(matches);
        if (found) return found;
        const left = end - Date.now();
        if (left <= 0) throw new Error(`no such message among ${received.length}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          waiting.push(() => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
    },
    stop: async () => {
      server.closeAllConnections();
      await stop();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** An answer with a status and nothing else. */
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_received, response) =>
    void response.writeHead(status, headers).end();

async function messageOf(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const header = (name: string) => String(request.headers[name] ?? "");
  const id = header("webhook-id");
  const timestamp = Number(header("webhook-timestamp"));
  const signatures = header("webhook-signature").split(" ");
  return {
    path: request.url ?? "",
    ...{ id, timestamp, signatures, text, body: JSON.parse(text), headers: request.headers },
    isSignedBy: (secret) =>
      signatures.includes(new Webhook(secret).sign(id, new Date(timestamp * 1000), text)),
  };
}
