import { Writable } from "node:stream";
import type { StreamHead } from "./messages.ts";

/** Marks a handler that writes its answer to a stream; the same mark that AWS's runtime uses. */
export const streamingMark = Symbol.for("aws.lambda.runtime.handler.streaming");

type Metadata = { statusCode?: number; headers?: Record<string, string>; cookies?: string[] };
type Sink = {
  readonly head: (head: StreamHead) => void;
  readonly chunk: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

/** The stream a streaming handler writes to. The head leaves with the first byte, or with the end. */
export class ResponseStream extends Writable {
  readonly #sink: Sink;
  #head: StreamHead | undefined = {
    statusCode: 200,
    headers: { "content-type": "application/octet-stream" },
    cookies: [],
  };

  constructor(sink: Sink) {
    super({ decodeStrings: true });
    this.#sink = sink;
  }

  setContentType(type: string): void {
    this.describe({ headers: { "content-type": type } });
  }

  describe({ statusCode = 200, headers = {}, cookies = [] }: Metadata): void {
    if (this.#head) this.#head = { statusCode, headers, cookies };
  }

  #sendHead(): void {
    if (this.#head) this.#sink.head(this.#head);
    this.#head = undefined;
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#sendHead();
    this.#sink.chunk(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#sendHead();
    this.#sink.end();
    done();
  }
}

/** Puts `awslambda` where AWS's runtime has it. */
export function installAwslambda(): void {
  const awslambda = {
    streamifyResponse: (handler: object) => Object.assign(handler, { [streamingMark]: "response" }),
    HttpResponseStream: {
      from: (stream: ResponseStream, metadata: Metadata) => {
        stream.describe(metadata);
        return stream;
      },
    },
  };
  Object.assign(globalThis, { awslambda });
}
