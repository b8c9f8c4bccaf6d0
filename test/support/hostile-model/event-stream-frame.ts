import { crc32 } from "node:zlib";

const STRING_HEADER = 7;

/**
 * One frame of `application/vnd.amazon.eventstream`: lengths and their checksum, headers, payload, and a checksum
 * over all of it. Numbers are big-endian.
 */
export function eventStreamFrame(headers: Record<string, string>, payload: unknown): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([u32(16 + head.length + body.length), u32(head.length)]);
  const unchecked = Buffer.concat([lengths, u32(crc32(lengths)), head, body]);
  return Buffer.concat([unchecked, u32(crc32(unchecked))]);
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING_HEADER]),
    length,
    Buffer.from(value),
  ]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
