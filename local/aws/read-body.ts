import type { IncomingMessage } from "node:http";

/** The whole body. Reads by events: an async iterator costs several times as much, and this runs twice per AWS call. */
export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    message.on("error", reject);
  });
}
