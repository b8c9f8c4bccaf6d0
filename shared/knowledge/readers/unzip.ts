import { inflateRawSync } from "node:zlib";
import { ContentFault, LimitExceeded } from "../content-fault.ts";
import { MAX_UNPACKED_BYTES } from "./reading-limits.ts";

/** The files of an archive, by their paths. */
export type Unzipped = {
  /** Of its files, in the order of its directory. */
  readonly paths: readonly string[];
  readonly exists: (path: string) => boolean;
  /** @throws ContentFault when there is no such file, it is damaged, or more was unpacked than is allowed */
  readonly read: (path: string) => Uint8Array;
};

type Entry = {
  readonly method: number;
  readonly at: number;
  readonly packedBytes: number;
  readonly isEncrypted: boolean;
};

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;

/**
 * Opens a zip archive. What a file unpacks to is counted while it is inflated: the sizes in an archive are only claims,
 * and a kilobyte can be a gigabyte.
 *
 * @param budget  bytes that may still be unpacked; lowered by each read, and shared by archives within archives
 * @throws ContentFault for what is no archive
 * @source PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16
 */
export function unzip(bytes: Uint8Array, budget: { left: number }): Unzipped {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = within(() => entriesOf(view));
  return {
    paths: [...entries.keys()],
    exists: (path) => entries.has(path),
    read: (path) => {
      const entry = entries.get(path);
      if (!entry) throw new ContentFault(`The archive has no ${path}.`);
      if (entry.isEncrypted) throw new ContentFault("The archive is protected by a password.");
      const packed = within(() => packedBytes(view, entry));
      if (entry.method === STORED && packed.length > budget.left) throw tooLarge();
      const unpacked = entry.method === STORED ? packed : inflated(packed, budget.left);
      budget.left -= unpacked.length;
      return unpacked;
    },
  };
}

const tooLarge = () =>
  new LimitExceeded(
    `The file unpacks to more than ${MAX_UNPACKED_BYTES / 1e6} MB. Split it, or take its text alone.`,
  );

function inflated(packed: Buffer, maxOutputLength: number): Buffer {
  if (maxOutputLength < 1) throw tooLarge();
  try {
    return inflateRawSync(packed, { maxOutputLength });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : new ContentFault("The archive is damaged.");
  }
}

function entriesOf(archive: Buffer): Map<string, Entry> {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries = new Map<string, Entry>();
  let at = archive.readUInt32LE(end + 16);
  for (let n = 0; n < count; n += 1) {
    if (archive.toString("latin1", at, at + 4) !== "PK\x01\x02")
      throw new ContentFault("The archive is damaged.");
    const nameBytes = archive.readUInt16LE(at + 28);
    const path = pathOf(archive.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    entries.set(path, {
      isEncrypted: (archive.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0,
      method: archive.readUInt16LE(at + 10),
      packedBytes: archive.readUInt32LE(at + 20),
      at: archive.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** Names are UTF-8; older programs write what their system uses, of which Latin letters are read right. */
function pathOf(name: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(name);
  } catch {
    return new TextDecoder("windows-1252").decode(name);
  }
}

function endOf(archive: Buffer): number {
  const from = Math.max(0, archive.length - END_BYTES - MAX_COMMENT_BYTES);
  const at = archive.lastIndexOf("PK\x05\x06", archive.length, "latin1");
  if (at < from) throw new ContentFault("The file is no archive.");
  return at;
}

function packedBytes(archive: Buffer, { method, at, packedBytes: length }: Entry): Buffer {
  if (method !== STORED && method !== DEFLATED)
    throw new ContentFault(`The archive is packed in a way (${method}) that is not read.`);
  const start = at + LOCAL_BYTES + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  return archive.subarray(start, start + length);
}

/** An archive that points beyond its own end is damaged. */
function within<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new ContentFault("The archive is damaged.") : error;
  }
}
