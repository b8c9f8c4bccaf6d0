import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import type { SourceSetting } from "../../../shared/settings/values/sources.ts";

export type CloudRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
};

export type CloudAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export const json = (value: unknown, status = 200): CloudAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

/** A cloud that keeps files, on a port of this machine, and refuses what the real one refuses. */
export type Cloud = {
  /** With its port. */
  readonly host: string;
  /** How a deployment names it; its secret is called `the-secret`. */
  readonly setting: SourceSetting;
  /** The same cloud, and a place in it that is not there. */
  readonly missing: SourceSetting;
  /** What gives access now. */
  readonly secret: () => string;
  /** Nothing that gave access gives it any more. */
  readonly replaceSecret: () => void;
  readonly asked: readonly CloudRequest[];
  /** Answers the next request like this. */
  readonly answerNext: (answer: CloudAnswer) => void;
  readonly stop: () => Promise<void>;
};

type Served = Pick<Cloud, "host" | "asked" | "answerNext" | "stop"> & { readonly origin: string };

export async function serveCloud(
  answer: (request: CloudRequest) => CloudAnswer | Promise<CloudAnswer>,
): Promise<Served> {
  const asked: CloudRequest[] = [];
  let next: CloudAnswer | undefined;
  const server = createServer(async (incoming, response) => {
    const { method = "", headers } = incoming;
    const url = new URL(incoming.url ?? "/", `http://${headers.host}`);
    const request = { method, url, headers, form: new URLSearchParams(await text(incoming)) };
    asked.push(request);
    const given = next;
    next = undefined;
    const { status, headers: extraHeaders = {}, body = "" } = given ?? (await answer(request));
    response.writeHead(status, extraHeaders).end(body);
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    host: new URL(address).host,
    origin: address,
    asked,
    answerNext: (given) => {
      next = given;
    },
    stop,
  };
}
