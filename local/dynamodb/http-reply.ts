/** An HTTP response of a database engine. */
export type HttpReply = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the connection can be used for the next request. */
  readonly keepAlive: boolean;
};

/**
 * Parses the responses of one connection, which serves one request at a time.
 *
 * @returns a function that takes the next bytes, and returns the response once it is complete
 * @throws Error from that function when the bytes are not a response
 */
export function replyReader(): (bytes: Buffer) => HttpReply | undefined {
  let buffered: Buffer | undefined;
  return (bytes) => {
    buffered = buffered ? Buffer.concat([buffered, bytes]) : bytes;
    const reply = parseReply(buffered);
    if (reply) buffered = undefined;
    return reply;
  };
}

const endOfHead = "\r\n\r\n";

function parseReply(bytes: Buffer): HttpReply | undefined {
  const headLength = bytes.indexOf(endOfHead);
  if (headLength < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headLength).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (!status) throw new Error(`the database engine answered ${statusLine.slice(0, 80)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const rest = bytes.subarray(headLength + endOfHead.length);
  const body =
    headers["transfer-encoding"] === "chunked"
      ? chunkedBody(rest)
      : plainBody(rest, Number(headers["content-length"] ?? 0));
  return body && { status, headers, body, keepAlive: headers.connection !== "close" };
}

const plainBody = (rest: Buffer, length: number): Buffer | undefined =>
  rest.length < length ? undefined : rest.subarray(0, length);

/** Undefined until the last chunk, which is empty, and the line after it have arrived. */
function chunkedBody(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(length)) throw new Error("the database engine answered in chunks without a length");
    const start = lineEnd + 2;
    if (rest.length < start + length + 2) return undefined;
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(start, start + length));
    at = start + length + 2;
  }
}
