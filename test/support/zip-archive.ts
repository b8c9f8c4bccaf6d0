/** How a file lies in an archive. */
export const STORED = 0;
export const DEFLATED = 8;

/** A file of an archive, with what the archive says of it, which need not be true. */
export type ZipEntry = {
  readonly name: string;
  readonly body: Buffer;
  readonly method: typeof STORED | typeof DEFLATED;
  /** CRC-32 of what it unpacks to. */
  readonly checksum: number;
  /** Bytes that it unpacks to. */
  readonly size: number;
};

/** A zip archive, byte by byte. */
export function zipArchive(entries: readonly ZipEntry[]): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, body, method, checksum, size } of entries) {
    const path = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(method, 4);
    head.writeUInt32LE(checksum, 10);
    head.writeUInt32LE(body.length, 14);
    head.writeUInt32LE(size, 18);
    head.writeUInt16LE(path.length, 22);
    local.push(Buffer.from("PK\x03\x04"), head, path, body);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), head, rest, path);
    offset += 4 + head.length + path.length + body.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...local, directory, Buffer.from("PK\x05\x06"), end]));
}
