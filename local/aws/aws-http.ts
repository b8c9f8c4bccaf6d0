import type { IncomingHttpHeaders } from "node:http";

/** A request to AWS, as the SDK sends it. */
export type AwsHttpRequest = {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
};

export type AwsReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
};

/** Returns undefined when the connection is to be dropped without a response. */
export type AnswerAws = (request: AwsHttpRequest) => Promise<AwsReply | undefined>;
