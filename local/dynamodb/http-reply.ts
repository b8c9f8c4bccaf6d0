/** An answer of a database engine. */
export type HttpReply = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the connection serves for the next request. */
  readonly keepAlive: boolean;
};

/**
 * Puts answers together from the bytes of one connection, on which one request is under way at a time.
 *
 * @returns a function that takes the next bytes, and gives the answer when they were its last
 * @throws Error from that function when the bytes are no answer
 */
export function replyReader(): (bytes: Buffer) => HttpReply | undefined {
  let held: Buffer | undefined;
  return (bytes) => {
    held = held ? Buffer.concat([held, bytes]) : bytes;
    const read = replyIn(held);
    if (read) held = undefined;
    return read;
  };
}

const endOfHead = "\r\n\r\n";

function replyIn(bytes: Buffer): HttpReply | undefined {
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
      ? chunksIn(rest)
      : wholeIn(rest, Number(headers["content-length"] ?? 0));
  return body && { status, headers, body, keepAlive: headers.connection !== "close" };
}

const wholeIn = (rest: Buffer, length: number): Buffer | undefined =>
  rest.length < length ? undefined : rest.subarray(0, length);

/** Undefined until the last chunk, which is empty, has arrived with the line behind it. */
function chunksIn(rest: Buffer): Buffer | undefined {
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
