/**
 * What one file may take to be read. The knowledge worker has 2 GB, of which it needs a few hundred MB itself; a file that
 * would take more ends with its reason, and the process lives on.
 */
export type ReadingLimits = {
  /** Objects, strings and code of the reading process. */
  readonly heapMb: number;
  /** Bytes outside of the heap, such as what was unpacked. */
  readonly bufferMb: number;
  /** The most that any file gets; a small one gets less, see `secondsFor`. */
  readonly seconds: number;
};

/**
 * How long the reading of a file may work. Honest files take about a second a megabyte; one that is made to be slow must not keep
 * others waiting for five minutes.
 */
export const secondsFor = (bytes: number, { seconds }: ReadingLimits): number =>
  Math.min(seconds, 30 + 10 * Math.ceil(bytes / 1_000_000));

export const READING_LIMITS: ReadingLimits = { heapMb: 1_000, bufferMb: 500, seconds: 300 };

/** A file of a run, which is read beside other runs in a function of less memory. */
export const RUN_READING_LIMITS: ReadingLimits = { heapMb: 300, bufferMb: 150, seconds: 60 };

/** A file that is read as a whole, such as a PDF. */
export const MAX_WHOLE_BYTES = 50_000_000;

/** A file that is read as it comes: text, Markdown, tables. */
export const MAX_STREAMED_BYTES = 250_000_000;

/** The parts of a packed file that are read, together, unpacked: as much as a file may hold that is not packed. */
export const MAX_UNPACKED_BYTES = 50_000_000;

/** Characters of what was read of a file that is read as a whole, together. */
export const MAX_READ_CHARACTERS = 50_000_000;

/** Most chunks of one content, and parts of one file that is read as a whole: 250 MB of text in chunks of the usual size are 50,000. */
export const MAX_CHUNKS = 100_000;
