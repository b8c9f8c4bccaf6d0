import type { ChunkerKey } from "../chunkers/chunker.ts";
import type { Passage } from "./passage.ts";

/** What a reader gives: a passage, and how it is to be cut where its reader knows better than the table of readers. */
export type ReadPart = Passage & {
  /** Of the file inside an archive or a mail that the passage comes from. */
  readonly chunker?: ChunkerKey | undefined;
  /** It continues the text of the part before it, such as the rows of one table. */
  readonly continues?: boolean;
};

/** A file inside another one. */
export type InnerFile = {
  readonly filename: string;
  readonly mime_type: string;
  readonly bytes: Uint8Array;
};

/** What the reading of one file, with all that is packed in it, shares. */
export type Reading = {
  /** Bytes that may still be unpacked, in all archives together. */
  readonly budget: { left: number };
  /**
   * Reads a file inside this one: an attachment, a file of an archive. One of a kind that is not read is left out, and
   * named in what was skipped.
   *
   * @throws ContentFault when files are packed in files more than a few deep
   */
  readonly inner: (file: InnerFile) => Promise<ReadPart[]>;
  /** Reads bytes of this file as another kind than it was taken for. */
  readonly as: (reader: string, bytes: Uint8Array) => Promise<ReadPart[]>;
};

type Described = {
  readonly name: string;
  readonly description: string;
  /** Extensions, and names of other inputs that it reads. */
  readonly types: readonly string[];
  readonly mimeTypes: readonly string[];
  /** The chunkers that suit it; none where its passages are chunks already. */
  readonly chunkers: readonly ChunkerKey[];
  /** Used when an upload names none. */
  readonly chunker: ChunkerKey | undefined;
};

/** Reads a file that is in memory as a whole. Loads its libraries at its first use. @throws ContentFault */
export type WholeReader = Described & {
  readonly read: (bytes: Uint8Array, reading: Reading) => Promise<ReadPart[]>;
};

/**
 * Reads a file of any size as it comes, in blocks; the same parts for the same bytes, so all blocks but the last must
 * have the same size. @throws ContentFault
 */
export type StreamReader = Described & {
  readonly stream: (blocks: AsyncIterable<Uint8Array>) => AsyncIterable<ReadPart>;
};

/** Turns bytes into text. */
export type Reader = WholeReader | StreamReader;
