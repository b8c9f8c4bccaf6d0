/**
 * Compares engines for searching by words: `node bench/search/engines.ts`, or `… only parts minisearch` for some of them.
 * Takes about twenty minutes, and installs the
 * engines that the product does not have into a temporary folder. Every engine gets the same words, and runs in a process
 * of its own; a bucket is a file here, so add about 12 ms for each MB that is fetched (80 MB a second).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { countWords, queryWords } from "../../shared/knowledge/lexical/index-words.ts";
import { openPart, packPart } from "../../shared/knowledge/lexical/part.ts";
import { rankParts } from "../../shared/knowledge/lexical/rank-parts.ts";
import { chunksOf } from "./chunks.ts";
import { questionsOf, readSections } from "./corpus.ts";
import { quantile } from "./quantile.ts";

const FOLDER = join(tmpdir(), "agent-platform-bench-engines");
const SIZES = [1_000, 20_000, 200_000];
/** Chunks of one content: the unit of a write. */
const CHUNKS_OF_CONTENT = 10;
const QUESTIONS = 300;
const MEMORY_MB = 6_144;

type Engine = {
  readonly build: (texts: readonly string[]) => Promise<Uint8Array>;
  /** @returns a search for ids, the best first */
  readonly open: (path: string) => Promise<(words: readonly string[]) => Promise<string[]> | string[]>;
};

mkdirSync(FOLDER, { recursive: true });
const outside = createRequire(join(FOLDER, "node_modules/index.js"));

const engines: Readonly<Record<string, Engine>> = {
  parts: {
    build: async (texts) =>
      packPart(
        texts.map((text, i) => {
          const counts = new Map<string, number>();
          for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
          return { content: contentOf(i), position: i, counts };
        }),
        ["en"],
      ),
    open: async (path) => {
      const part = openPart(readFileSync(path));
      return (words) =>
        rankParts(
          [part],
          words.map((word) => ({ forms: [word], languages: [], isCommon: false })),
          undefined,
          10,
        ).hits.map(({ position }) => String(position));
    },
  },
  minisearch: {
    build: async (texts) => {
      const index = miniSearch();
      index.addAll(texts.map((text, id) => ({ id, text })));
      return Buffer.from(JSON.stringify(index));
    },
    open: async (path) => {
      const { default: MiniSearch } = outside("minisearch");
      const index = (MiniSearch ?? outside("minisearch")).loadJSON(readFileSync(path, "utf8"), miniOptions);
      return (words) =>
        index
          .search(words.join(" "))
          .slice(0, 10)
          .map(({ id }: { id: number }) => String(id));
    },
  },
  orama: {
    build: async (texts) => {
      const { create, insertMultiple, save } = outside("@orama/orama");
      const db = create(oramaOptions);
      await insertMultiple(
        db,
        texts.map((text, i) => ({ id: String(i), text })),
        5_000,
      );
      return Buffer.from(JSON.stringify(save(db)));
    },
    open: async (path) => {
      const { create, load, search } = outside("@orama/orama");
      const db = create(oramaOptions);
      load(db, JSON.parse(readFileSync(path, "utf8")));
      return async (words) => {
        const { hits } = await search(db, { term: words.join(" "), limit: 10, threshold: 1 });
        return hits.map(({ id }: { id: string }) => id);
      };
    },
  },
  "sqlite-fts5": {
    build: async (texts) => {
      const path = join(FOLDER, "build.sqlite");
      rmSync(path, { force: true });
      const db = new DatabaseSync(path);
      db.exec("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='ascii')");
      const insert = db.prepare("INSERT INTO t (rowid, text) VALUES (?, ?)");
      db.exec("BEGIN");
      for (const [i, text] of texts.entries()) insert.run(i, text);
      db.exec("COMMIT; INSERT INTO t (t) VALUES ('optimize'); VACUUM");
      db.close();
      return readFileSync(path);
    },
    open: async (path) => {
      const db = new DatabaseSync(path, { readOnly: true });
      const select = db.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10");
      return (words) =>
        select.all(words.map((word) => `"${word}"`).join(" OR ")).map(({ rowid }) => String(rowid));
    },
  },
};

const miniOptions = {
  fields: ["text"],
  tokenize: (text: string) => text.split(" "),
  processTerm: (term: string) => term,
};
const miniSearch = () => {
  const module = outside("minisearch");
  return new (module.default ?? module)(miniOptions);
};
const oramaOptions = {
  schema: { text: "string" },
  components: {
    tokenizer: {
      language: "custom",
      normalizationCache: new Map(),
      tokenize: (text: string) => text.split(" "),
    },
  },
} as const;
const contentOf = (i: number) => ({
  id: `c${Math.floor(i / CHUNKS_OF_CONTENT)}`,
  hash: "0".repeat(16),
  owner: null,
});

/** Words that any tokenizer leaves as they are: letters of other scripts become numbers. */
const plainWord = (word: string): string =>
  /^[a-z0-9]+$/.test(word) ? word : `x${Buffer.from(word).toString("hex")}`;

async function prepare(size: number): Promise<string> {
  const path = join(FOLDER, `words-${size}.json`);
  if (existsSync(path)) return path;
  const sections = readSections();
  const all = chunksOf(sections, size, true);
  const chunks = all.length > size ? all.filter((_, i) => i % Math.ceil(all.length / size) === 0) : all;
  const texts: string[] = [];
  for (let from = 0; from < chunks.length; from += 2_000) {
    const counted = await countWords(chunks.slice(from, from + 2_000));
    for (const { counts } of counted)
      texts.push([...counts].flatMap(([word, n]) => new Array<string>(n).fill(plainWord(word))).join(" "));
  }
  const asked = questionsOf(readSections());
  const every = Math.ceil(asked.length / QUESTIONS);
  const questions: { words: string[]; answer: string }[] = [];
  for (const [i, question] of asked.entries()) {
    if (i % every !== 0) continue;
    const answer = chunks.findIndex(
      ({ section }) => section?.heading === question.heading && section.language === question.language,
    );
    const words = await queryWords(question.heading, ["de", "en"]);
    if (answer >= 0)
      questions.push({ words: words.flatMap(({ forms }) => forms.map(plainWord)), answer: String(answer) });
  }
  writeFileSync(path, JSON.stringify({ texts, questions }));
  return path;
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);

async function build(name: string, words: string, path: string): Promise<void> {
  const { texts } = JSON.parse(readFileSync(words, "utf8")) as { texts: string[] }; // as prepared
  const startedAt = performance.now();
  writeFileSync(path, await (engines[name] as Engine).build(texts)); // one of the names
  console.log(JSON.stringify({ build_s: (performance.now() - startedAt) / 1000 }));
}

async function query(name: string, words: string, path: string): Promise<void> {
  const { questions } = JSON.parse(readFileSync(words.replace(/\.json$/, ".questions.json"), "utf8"));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const startedAt = performance.now();
  const search = await (engines[name] as Engine).open(path); // one of the names
  await search(questions[0].words);
  const cold = performance.now() - startedAt;
  const times: number[] = [];
  let found = 0;
  for (const { words: asked, answer } of questions) {
    const from = performance.now();
    const ids = await search(asked);
    times.push(performance.now() - from);
    if (ids.slice(0, 5).includes(answer)) found += 1;
  }
  globalThis.gc?.();
  const result = {
    recall: found / questions.length,
    cold,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    rss: process.memoryUsage().rss - before,
  };
  console.log(JSON.stringify(result));
}

/** What an inverted index in DynamoDB would be charged for, counted from the same words: one item for each word of a content. */
function tableCosts(texts: readonly string[], questions: readonly { words: readonly string[] }[]): string {
  const items = new Map<string, number>();
  let writes = 0;
  for (let from = 0; from < texts.length; from += CHUNKS_OF_CONTENT) {
    const words = new Set(texts.slice(from, from + CHUNKS_OF_CONTENT).flatMap((text) => text.split(" ")));
    writes += words.size;
    for (const word of words) items.set(word, (items.get(word) ?? 0) + 1);
  }
  const ITEM_BYTES = 120;
  const read = questions.map(({ words }) =>
    words.reduce((sum, word) => sum + (items.get(word) ?? 0) * ITEM_BYTES, 0),
  );
  const perContent = writes / Math.ceil(texts.length / CHUNKS_OF_CONTENT);
  return `${perContent.toFixed(0)} items written for a content of ${CHUNKS_OF_CONTENT} chunks ($${(((perContent * 0.625) / 1e6) * 1000).toFixed(2)} a thousand); a query reads ${mb(quantile(read, 0.5))} MB (median), ${mb(quantile(read, 0.95))} MB (p95), in pages of 1 MB`;
}

function run(task: string, name: string, words: string, path: string): Record<string, number> | undefined {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      "--expose-gc",
      "--no-warnings",
      `--max-old-space-size=${MEMORY_MB}`,
      fileURLToPath(import.meta.url),
      task,
      name,
      words,
      path,
    ],
    { encoding: "utf8", timeout: 240_000, maxBuffer: 1e8 },
  );
  return status === 0 ? JSON.parse(stdout.trim().split("\n").at(-1) ?? "") : undefined;
}

const [task, name = "", words = "", path = ""] = process.argv.slice(2);
if (task === "build") await build(name, words, path);
else if (task === "query") await query(name, words, path);
else {
  if (!existsSync(join(FOLDER, "node_modules/minisearch")))
    execFileSync("npm", ["i", "--silent", "--prefix", FOLDER, "minisearch@7.2.0", "@orama/orama@3.1.18"]);
  console.log("| chunks | engine | recall@5 | build s | MB stored | open ms | p50 ms | p95 ms | memory MB |");
  for (const size of SIZES) {
    const prepared = await prepare(size);
    const { texts, questions } = JSON.parse(readFileSync(prepared, "utf8"));
    writeFileSync(prepared.replace(/\.json$/, ".questions.json"), JSON.stringify({ questions }));
    for (const engine of task === undefined ? Object.keys(engines) : process.argv.slice(3)) {
      const file = join(FOLDER, `${engine}-${size}`);
      const built = run("build", engine, prepared, file);
      const result = built && run("query", engine, prepared, file);
      if (!result) console.log(`| ${size} | ${engine} | failed: out of ${MEMORY_MB} MB or of 240 s |`);
      else
        console.log(
          `| ${size} | ${engine} | ${result.recall?.toFixed(3)} | ${built.build_s?.toFixed(1)} | ${mb(statSync(file).size)} | ${result.cold?.toFixed(0)} | ${result.p50?.toFixed(1)} | ${result.p95?.toFixed(1)} | ${mb(result.rss ?? 0)} |`,
        );
      rmSync(file, { force: true });
    }
    console.log(`| ${size} | dynamodb, counted | ${tableCosts(texts, questions)} |`);
  }
}
