/** Raise it when the layout of the bytes changes. */
export const PART_LAYOUT = 1;

/** The chunks of one generation of a content that a part has words of. */
export type PartContent = {
  readonly id: string;
  /** Of the generation. */
  readonly hash: string;
  /** Null for a shared one. */
  readonly owner: string | null;
};

/** One chunk, as it goes into a part: its place, and how often it has which word. */
export type PartChunk = {
  readonly content: PartContent;
  /** From 1. */
  readonly position: number;
  readonly counts: ReadonlyMap<string, number>;
};

type Head = {
  readonly layout: number;
  readonly contents: readonly PartContent[];
  /** Languages by whose rules its words are reduced. */
  readonly languages: readonly string[];
  readonly chunks: number;
  readonly words: number;
  /** Of all chunks, counting repetitions. */
  readonly totalWords: number;
  /** Bytes of the dictionary and of the postings. */
  readonly dictionary: number;
  readonly postings: number;
};

/**
 * An immutable part of an index: which chunks have which words, in one run of bytes that is searched as it is.
 *
 *   length of head | head (JSON) | chunk: content, position, words | word: place in dictionary, place of postings |
 *   dictionary: "\nword\nword\n" sorted | postings: chunk as difference to the one before, count; as numbers of 7 bits a byte
 */
export type Part = {
  readonly contents: readonly PartContent[];
  readonly languages: readonly string[];
  readonly chunks: number;
  readonly totalWords: number;
  readonly bytes: number;
  /** By chunk: its content (place in `contents`), its position there, and how many words it has. */
  readonly contentOf: Uint32Array;
  readonly positionOf: Uint32Array;
  readonly lengthOf: Uint32Array;
  readonly wordStarts: Uint32Array;
  readonly postingStarts: Uint32Array;
  readonly dictionary: Buffer;
  readonly postings: Uint8Array;
};

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** Packs chunks. Two of the same place are one. @param chunks of any contents, in any order */
export function packPart(chunks: Iterable<PartChunk>, languages: Iterable<string>): Uint8Array {
  const rows = new Rows();
  const postings = new Map<string, number[]>();
  for (const { content, position, counts } of chunks) {
    const row = rows.add(content, position, sum(counts.values()));
    if (row === undefined) continue;
    for (const [word, count] of counts) {
      const list = postings.get(word);
      if (list) list.push(row, count);
      else postings.set(word, [row, count]);
    }
  }
  return assemble(rows, languages, postings.keys(), (word, give) => {
    const list = postings.get(word) ?? [];
    for (let i = 0; i < list.length; i += 2) give(list[i] ?? 0, list[i + 1] ?? 0);
  });
}

/**
 * One part of several.
 *
 * @param keep  whether the chunks of a content are still wanted
 * @returns     undefined where no chunk is left
 */
export function mergeParts(
  parts: readonly Part[],
  keep: (content: PartContent) => boolean,
): Uint8Array | undefined {
  const rows = new Rows();
  const moved = parts.map((part) => {
    const kept = part.contents.map(keep);
    return Int32Array.from({ length: part.chunks }, (_, chunk) => {
      const place = part.contentOf[chunk] ?? 0;
      const content = part.contents[place];
      if (!content || !kept[place]) return DROPPED;
      return rows.add(content, part.positionOf[chunk] ?? 0, part.lengthOf[chunk] ?? 0) ?? DROPPED;
    });
  });
  if (rows.count === 0) return undefined;
  const sources = new Map<string, number[]>();
  parts.forEach((part, p) => {
    for (let place = 0; place < wordCount(part); place += 1) {
      const word = wordAt(part, place);
      const list = sources.get(word);
      if (list) list.push(p, place);
      else sources.set(word, [p, place]);
    }
  });
  const languages = parts.flatMap((part) => part.languages);
  return assemble(rows, languages, sources.keys(), (word, give) => {
    const list = sources.get(word) ?? [];
    for (let i = 0; i < list.length; i += 2) {
      const [p = 0, place = 0] = [list[i], list[i + 1]];
      const [part, rowOf] = [parts[p], moved[p]];
      if (!part || !rowOf) continue;
      eachPosting(part, place, (chunk, count) => {
        const row = rowOf[chunk] ?? DROPPED;
        if (row !== DROPPED) give(row, count);
      });
    }
  });
}

const DROPPED = -1;

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** The chunks of a part that is being made, each once. */
class Rows {
  readonly contents: PartContent[] = [];
  readonly contentOf: number[] = [];
  readonly positionOf: number[] = [];
  readonly lengthOf: number[] = [];
  private readonly placeOf = new Map<string, number>();
  private readonly seen = new Set<string>();

  get count(): number {
    return this.contentOf.length;
  }

  /** @returns the chunk's row; undefined where it is there already */
  add(content: PartContent, position: number, length: number): number | undefined {
    const generation = `${content.id}_${content.hash}`;
    const id = `${generation}_${position}`;
    if (this.seen.has(id)) return undefined;
    this.seen.add(id);
    let place = this.placeOf.get(generation);
    if (place === undefined) {
      place = this.contents.push(content) - 1;
      this.placeOf.set(generation, place);
    }
    this.positionOf.push(position);
    this.lengthOf.push(length);
    return this.contentOf.push(place) - 1;
  }
}

type Give = (row: number, count: number) => void;

/** @param each  gives the chunks that have a word, in the order of their rows */
function assemble(
  rows: Rows,
  languages: Iterable<string>,
  words: Iterable<string>,
  each: (word: string, give: Give) => void,
): Uint8Array {
  const postings = new Bytes();
  const kept: string[] = [];
  const postingStarts: number[] = [];
  for (const word of [...words].sort(byBytes)) {
    const start = postings.length;
    let before = 0;
    each(word, (row, count) => {
      postings.number(row - before);
      postings.number(count);
      before = row;
    });
    // The chunks that had it may be gone.
    if (postings.length === start) continue;
    kept.push(word);
    postingStarts.push(start);
  }
  const wordStarts: number[] = [];
  let at = 1;
  for (const word of kept) {
    wordStarts.push(at);
    at += Buffer.byteLength(word) + 1;
  }
  const dictionary = Buffer.from(`\n${kept.join("\n")}\n`);
  const head: Head = {
    layout: PART_LAYOUT,
    contents: rows.contents,
    languages: [...new Set(languages)].sort(),
    chunks: rows.count,
    words: kept.length,
    totalWords: sum(rows.lengthOf),
    dictionary: dictionary.length,
    postings: postings.length,
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const columns = [
    rows.contentOf,
    rows.positionOf,
    rows.lengthOf,
    [...wordStarts, at],
    [...postingStarts, postings.length],
  ];
  return joined([
    Buffer.from(Uint32Array.of(headBytes.length).buffer),
    headBytes,
    ...columns.map((column) => Buffer.from(Uint32Array.from(column).buffer)),
    dictionary,
    postings.taken(),
  ]);
}

/** Each section begins at a multiple of four. */
function joined(sections: readonly Uint8Array[]): Uint8Array {
  const packed = new Uint8Array(sections.reduce((total, { length }) => total + aligned(length), 0));
  let offset = 0;
  for (const section of sections) {
    packed.set(section, offset);
    offset += aligned(section.length);
  }
  return packed;
}

/** @throws when the bytes are no part of this layout */
export function openPart(given: Uint8Array): Part {
  // Numbers of four bytes must be aligned, and received bytes may not be.
  const bytes = given.byteOffset % 4 === 0 ? given : new Uint8Array(given);
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + 4, headLength).toString()) as Head; // as packed
  if (head.layout !== PART_LAYOUT)
    throw new Error(`a part of an index has layout ${head.layout}, not ${PART_LAYOUT}`);
  let offset = 4 + aligned(headLength);
  const numbers = (count: number): Uint32Array => {
    const column = new Uint32Array(bytes.buffer, bytes.byteOffset + offset, count);
    offset += 4 * count;
    return column;
  };
  const [contentOf, positionOf, lengthOf] = [
    numbers(head.chunks),
    numbers(head.chunks),
    numbers(head.chunks),
  ];
  const [wordStarts, postingStarts] = [numbers(head.words + 1), numbers(head.words + 1)];
  const dictionary = Buffer.from(bytes.buffer, bytes.byteOffset + offset, head.dictionary);
  offset += aligned(head.dictionary);
  const postings = new Uint8Array(bytes.buffer, bytes.byteOffset + offset, head.postings);
  const { contents, languages, chunks, totalWords } = head;
  return {
    contents,
    languages,
    chunks,
    totalWords,
    bytes: bytes.length,
    contentOf,
    positionOf,
    lengthOf,
    wordStarts,
    postingStarts,
    dictionary,
    postings,
  };
}

/** The place of a word in the dictionary; -1 where no chunk has it. */
export function findWord({ dictionary, wordStarts }: Part, word: string): number {
  const wanted = Buffer.from(word);
  let low = 0;
  let high = wordStarts.length - 2;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const start = wordStarts[middle] ?? 0;
    const end = (wordStarts[middle + 1] ?? 0) - 1;
    const order = dictionary.compare(wanted, 0, wanted.length, start, end);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The words that end with some letters and are longer. @param most at most so many */
export function wordsEnding({ dictionary, wordStarts }: Part, ending: string, most: number): number[] {
  const wanted = Buffer.from(`${ending}\n`);
  const found: number[] = [];
  for (
    let at = dictionary.indexOf(wanted);
    at >= 0 && found.length < most;
    at = dictionary.indexOf(wanted, at + 1)
  ) {
    const place = lastAtMost(wordStarts, at);
    if (wordStarts[place] !== at) found.push(place);
  }
  return found;
}

/** The words that begin with some letters and are longer. */
export function wordsBeginning({ dictionary, wordStarts }: Part, beginning: string, most: number): number[] {
  const wanted = Buffer.from(`\n${beginning}`);
  const found: number[] = [];
  for (
    let at = dictionary.indexOf(wanted);
    at >= 0 && found.length < most;
    at = dictionary.indexOf(wanted, at + 1)
  ) {
    const place = lastAtMost(wordStarts, at + 1);
    if (dictionary[at + wanted.length] !== NEWLINE) found.push(place);
  }
  return found;
}

const NEWLINE = 10;

export const wordAt = ({ dictionary, wordStarts }: Part, place: number): string =>
  dictionary.toString("utf8", wordStarts[place], (wordStarts[place + 1] ?? 0) - 1);

/** How many words the dictionary has. */
export const wordCount = ({ wordStarts }: Part): number => wordStarts.length - 1;

function lastAtMost(starts: Uint32Array, at: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Gives each chunk that has a word, and how often. */
export function eachPosting(
  { postings, postingStarts }: Part,
  place: number,
  give: (chunk: number, count: number) => void,
): void {
  const end = postingStarts[place + 1] ?? 0;
  let at = postingStarts[place] ?? 0;
  let chunk = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = postings[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    chunk += number();
    give(chunk, number());
  }
}

/** As the dictionary is searched: by the bytes of UTF-8. That is the order of UTF-16 but for rare letters. */
const byBytes = (a: string, b: string): number =>
  HAS_SURROGATES.test(a) || HAS_SURROGATES.test(b)
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : a < b
      ? -1
      : 1;

const HAS_SURROGATES = /[\ud800-\udfff]/;

/** Bytes that grow. */
class Bytes {
  length = 0;
  private bytes = new Uint8Array(1 << 16);

  number(value: number): void {
    if (this.length + 5 > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  taken = (): Uint8Array => this.bytes.subarray(0, this.length);
}
