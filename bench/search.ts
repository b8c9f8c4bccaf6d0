/**
 * How well and how fast a base is searched: `npm run bench:search`, beside a plain BM25 over the same chunks. Headings of a
 * handbook in four languages are the questions, their sections the answers; see `bench/search/corpus.ts` for where the text
 * comes from. A second set has questions of users, answered by files of documentation that packages bring along. Parameters
 * of the search were chosen on every second question, so halves are shown apart.
 *
 * `--vectors <folder>` adds searches by the vectors of a real embedder, which `bench/search/record-vectors.py` records:
 * without them the folder gets the texts to be embedded. `--sizes 1000,20000` sets how many chunks there are, and
 * `--only stores` leaves out all but the searches through a table and a bucket.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuseRanks } from "../shared/domain/knowledge/fuse-ranks.ts";
import { hashVector } from "../shared/knowledge/embedders/hash-embedder.ts";
import { closerFirst } from "../shared/knowledge/lexical/closer-first.ts";
import { countWords, queryWords } from "../shared/knowledge/lexical/index-words.ts";
import { languages } from "../shared/knowledge/lexical/languages.ts";
import { openPart, type Part, packPart } from "../shared/knowledge/lexical/part.ts";
import { rankParts } from "../shared/knowledge/lexical/rank-parts.ts";
import { DEFAULT_WEIGHTS } from "../shared/knowledge/search-type.ts";
import { type Chunk, chunksOf } from "./search/chunks.ts";
import { questionsOf, readSections } from "./search/corpus.ts";
import { readPackageDocs } from "./search/package-docs.ts";
import { packageQuestions } from "./search/package-questions.ts";
import { plainBm25 } from "./search/plain-bm25.ts";
import { quantile } from "./search/quantile.ts";
import { measureThroughStores } from "./search/through-stores.ts";

const { values } = parseArgs({
  options: {
    vectors: { type: "string" },
    sizes: { type: "string", default: "1000,20000" },
    only: { type: "string" },
  },
});
/** As many as a search looks at in a hybrid one. */
const TOP = 50;
/** Results of a search. */
const SHOWN = 10;
/** Chunks of one part, as after some merges. */
const CHUNKS_OF_PART = 4_000;
const DIMENSIONS = 384;

const sections = readSections();
const questions = questionsOf(sections);
const counted = Object.entries(Object.groupBy(questions, ({ language }) => language));
console.log(
  `${questions.length} questions: ${counted.map(([language, of]) => `${of?.length} ${language}`).join(", ")}`,
);

const packageChunks = await readPackageDocs();
const recorded = values.vectors === undefined ? undefined : readVectors(values.vectors);
console.log(
  "| chunks | text | search | recall@1 | recall@5 | MRR | p50 ms | p95 ms | recall@5 by language |",
);
const sizes = values.sizes.split(",").map(Number);
if (values.only !== "stores") await measurePackages();
for (const size of sizes) {
  for (const withHeading of values.only === "stores" ? [] : [true, false])
    await measureHandbook(size, withHeading);
  const asked = questions.filter((_, i) => i % 5 === 0).map(({ heading }) => heading);
  console.log(await measureThroughStores(chunksOf(sections, size, true).slice(0, size), asked));
}

/** A question, and whether a chunk answers it. `half` is 0 for those that parameters were chosen on. */
type Question = {
  readonly text: string;
  readonly language: string;
  readonly half: number;
  readonly isAnswer: (id: string) => boolean;
};
type Search = (question: string) => Promise<readonly string[]>;

async function measureHandbook(size: number, withHeading: boolean): Promise<void> {
  const chunks = chunksOf(sections, size, withHeading);
  const answers = new Map(chunks.flatMap(({ section, id }) => (section ? [[section, id] as const] : [])));
  const asked = questions.map((question, i) => ({
    text: question.heading,
    language: question.language,
    half: i % 2,
    isAnswer: (id: string) => id === answers.get(question),
  }));
  const label = withHeading ? "heading and section" : "section alone";
  await measure(chunks, label, asked, size === sizes[0]);
}

async function measurePackages(): Promise<void> {
  const files = new Map(packageChunks.map(({ id, file }) => [id, file]));
  const asked = packageQuestions.map(([text, file], i) => ({
    file,
    text,
    language: "en",
    half: i % 2,
    isAnswer: (id: string) => files.get(id) === file,
  }));
  await measure(packageChunks, "documentation of packages", asked, false);
  if (!recorded) return;
  const some = asked.filter(({ file }) => isEmbedded(file));
  const chunks = packageChunks.filter(({ file }) => isEmbedded(file));
  await measure(chunks, "documentation of three packages", some, true);
}

/** All of it would take long to embed. */
function isEmbedded(file: string | undefined): boolean {
  return file !== undefined && /^(fastify|undici|pino)\//.test(file);
}

async function measure(
  chunks: readonly Chunk[],
  label: string,
  asked: readonly Question[],
  hasVectors: boolean,
): Promise<void> {
  const parts = await packed(chunks);
  const present = languages.filter((one) => parts.some((part) => part.languages.includes(one)));
  const worded = async (question: string, top = TOP) => {
    const { hits, words } = rankParts(parts, await queryWords(question, present), undefined, top);
    const found = hits.map(({ position, score }) => {
      const { id = "", text = "" } = chunks[position - 1] ?? {};
      return { id, text, score };
    });
    const closer = await closerFirst(found.slice(0, SHOWN), words);
    return [...closer, ...found.slice(SHOWN)].map(({ id }) => id);
  };
  const plain = plainBm25(chunks.map(({ text }) => text));
  const hashed = chunks.map(({ text }) => Float32Array.from(hashVector(text)));
  const keyword: Search = (question) => worded(question, SHOWN);
  const plainly: Search = async (question) => plain(question).map((place) => chunks[place]?.id ?? "");
  const before: Search = async (question) => nearest(chunks, hashed, Float32Array.from(hashVector(question)));
  const searches: [name: string, search: Search, asked: readonly Question[]][] = [
    ["hashed words (before)", before, asked],
    ["plain BM25", plainly, asked],
    ["keyword", keyword, asked],
    ...[0, 1].flatMap((half): [string, Search, Question[]][] => {
      const some = asked.filter((one) => one.half === half);
      const named = half === 0 ? "chosen on" : "other half";
      return [
        [`plain BM25, ${named}`, plainly, some],
        [`keyword, ${named}`, keyword, some],
      ];
    }),
  ];
  // Only some texts were recorded: what only distracts has no vector.
  const known = recorded && hasVectors ? chunks.filter(({ text }) => recorded(text)) : [];
  if (recorded && known.length > 0) {
    const vectors = known.map(({ text }) => recorded(text) ?? new Float32Array(DIMENSIONS));
    const near: Search = async (question) =>
      nearest(known, vectors, recorded(question) ?? new Float32Array(DIMENSIONS));
    const both: Search = async (question) =>
      fuseRanks([
        { keys: await near(question), weight: DEFAULT_WEIGHTS.vector },
        { keys: await worded(question), weight: DEFAULT_WEIGHTS.keyword },
      ]);
    const english = asked.filter(({ language }) => language === "en");
    searches.push(["vector, MiniLM, English questions", near, english]);
    searches.push(["plain BM25, English questions", plainly, english]);
    searches.push(["keyword, English questions", keyword, english]);
    searches.push(["hybrid, MiniLM, English questions", both, english]);
  }
  for (const [name, search, of] of searches)
    await report(`${chunks.length} | ${label} | ${name}`, search, of);
}

async function report(name: string, search: Search, of: readonly Question[]): Promise<void> {
  const times: number[] = [];
  const places: { language: string; place: number }[] = [];
  for (const { text, language, isAnswer } of of) {
    const from = performance.now();
    const found = await search(text);
    times.push(performance.now() - from);
    places.push({ language, place: found.slice(0, 10).findIndex(isAnswer) });
  }
  const within = (k: number, some = places) => share(some, ({ place }) => place >= 0 && place < k);
  const mrr = places.reduce((sum, { place }) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length;
  const each = Object.entries(Object.groupBy(places, ({ language }) => language)).map(
    ([language, some = []]) => `${language} ${within(5, some)}`,
  );
  const cells = [
    within(1),
    within(5),
    mrr.toFixed(3),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.95).toFixed(1),
  ];
  console.log(`| ${name} | ${cells.join(" | ")} | ${each.join(", ")} |`);
}

function share<T>(all: readonly T[], is: (one: T) => boolean): string {
  return (all.filter(is).length / Math.max(1, all.length)).toFixed(3);
}

/** The index as the service has it: some parts. */
async function packed(chunks: readonly Chunk[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (let from = 0; from < chunks.length; from += CHUNKS_OF_PART) {
    const some = chunks.slice(from, from + CHUNKS_OF_PART);
    const words = await countWords(some);
    const rows = some.map(({ id, file = id }, i) => ({
      content: { id: file, hash: "h", owner: null },
      // Of all chunks, so that a chunk is found by it alone.
      position: from + i + 1,
      counts: words[i]?.counts ?? new Map<string, number>(),
    }));
    parts.push(
      openPart(
        packPart(
          rows,
          words.map(({ language }) => language),
        ),
      ),
    );
  }
  return parts;
}

function nearest(chunks: readonly Chunk[], vectors: readonly Float32Array[], wanted: Float32Array): string[] {
  const scored = vectors.map((vector, i) => {
    let score = 0;
    for (let d = 0; d < wanted.length; d += 1) score += (wanted[d] ?? 0) * (vector[d] ?? 0);
    return { id: chunks[i]?.id ?? "", score };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, TOP)
    .map(({ id }) => id);
}

/** The recorded vector of a text in English: the one language of the embedder. Without a recording the texts are written to the folder, and the bench ends. */
function readVectors(folder: string): (text: string) => Float32Array | undefined {
  const english = <T extends { readonly language: string }>(of: readonly T[]) =>
    of.filter(({ language }) => language === "en");
  const chunks = [true, false].flatMap((withHeading) => english(chunksOf(sections, 0, withHeading)));
  const headings = english(questions).map(({ heading }) => heading);
  const ofPackages = packageChunks.filter(({ file }) => isEmbedded(file));
  const asked = packageQuestions.filter(([, file]) => isEmbedded(file)).map(([question]) => question);
  const embedded = [...chunks, ...ofPackages].map(({ text }) => text);
  const texts = [...new Set([...headings, ...asked, ...embedded])];
  const files = { texts: join(folder, "texts.json"), vectors: join(folder, "vectors.f32") };
  if (!existsSync(files.vectors)) {
    writeFileSync(files.texts, JSON.stringify(texts));
    console.log(`${texts.length} texts to embed are in ${folder}: run bench/search/record-vectors.py`);
    process.exit(0);
  }
  const bytes = readFileSync(files.vectors);
  const places = new Map(
    (JSON.parse(readFileSync(files.texts, "utf8")) as string[]).map((text, i) => [digest(text), i] as const), // as written above
  );
  return (text) => {
    const place = places.get(digest(text));
    const end = ((place ?? 0) + 1) * DIMENSIONS * 4;
    if (place === undefined || end > bytes.length) return undefined;
    return new Float32Array(
      bytes.buffer.slice(bytes.byteOffset + place * DIMENSIONS * 4, bytes.byteOffset + end),
    );
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
