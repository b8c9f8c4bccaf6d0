import { Writable } from "node:stream";
import type { StreamHead } from "./messages.ts";

/** Marks a handler that writes its answer to a stream; the same mark that AWS's runtime uses. */
export const streamingMark = Symbol.for("aws.lambda.runtime.handler.streaming");

type Metadata = { statusCode?: number; headers?: Record<string, string>; cookies?: string[] };
type Written = (error: Error | null | undefined) => void;
type Sink = {
  readonly head: (head: StreamHead) => void;
  readonly chunk: (chunk: Uint8Array) => void;
  readonly end: () => void;
};

/**
 * The stream a streaming handler writes to. As in AWS's runtime, the head that the handler describes leaves with its first
 * `write`, be it of nothing. An answer that is ended without one has no head, and neither has one whose only bytes come with
 * `end`: whoever waits for it gets an error.
 *
 * @source github.com/aws/aws-lambda-nodejs-runtime-interface-client, `HttpResponseStream` and `ResponseStream`
 */
export class ResponseStream extends Writable {
  readonly #sink: Sink;
  #head: StreamHead = {
    statusCode: 200,
    headers: { "content-type": "application/octet-stream" },
    cookies: [],
  };
  #isDescribed = false;
  #isHeadSent = false;

  constructor(sink: Sink) {
    super({ decodeStrings: true });
    this.#sink = sink;
  }

  setContentType(type: string): void {
    this.#head = { ...this.#head, headers: { "content-type": type } };
  }

  describe({ statusCode = 200, headers = {}, cookies = [] }: Metadata): void {
    this.#head = { statusCode, headers, cookies };
    this.#isDescribed = true;
  }

  #sendHead(): void {
    if (!this.#isHeadSent) this.#sink.head(this.#head);
    this.#isHeadSent = true;
  }

  override write(chunk: unknown, written?: Written): boolean;
  override write(chunk: unknown, encoding: BufferEncoding, written?: Written): boolean;
  override write(chunk: unknown, encoding?: BufferEncoding | Written, written?: Written): boolean {
    this.#sendHead();
    return typeof encoding === "string"
      ? super.write(chunk, encoding, written)
      : super.write(chunk, encoding);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    if (!this.#isDescribed) this.#sendHead();
    if (this.#isHeadSent && chunk.length > 0) this.#sink.chunk(chunk);
    done();
  }

  override _final(done: () => void): void {
    if (!this.#isDescribed) this.#sendHead();
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
