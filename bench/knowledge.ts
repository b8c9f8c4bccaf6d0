/**
 * Processes a corpus of pages through the durable queue, while the platform is killed repeatedly: every page must end
 * completed or failed, with each of its chunks once and no other chunks. Prints the time, and the recall of the local
 * embedder for a small set of questions.
 * `node bench/knowledge.ts [--pages 2000] [--kills 4] [--seed N]`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectEmbedder } from "../shared/knowledge/embedders/connect-embedder.ts";
import { passages, questions } from "../test/knowledge/labelled-set.ts";
import { auditChunks } from "../test/support/chunk-audit.ts";
import { dbOfFolder } from "../test/support/db-of-folder.ts";
import { randomFrom } from "../test/support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../test/support/killable-platform.ts";
import { recallAt } from "../test/support/recall.ts";
import { printTable, runConcurrently } from "./figures.ts";

const CONCURRENCY = 20;
const SETTLES_WITHIN_MS = 15 * 60_000;
/** One in this many pages is an invalid PDF, which has to fail. */
const BROKEN = 50;

const { pages, kills, seed } = options();
const random = randomFrom(seed);

const { recall, missed } = await recallAt(5, connectEmbedder({ EMBEDDER: "local" }), passages, questions);
console.log(`recall@5 of the local embedder: ${recall.toFixed(2)} (${questions.length} questions)`);
for (const question of missed) console.log(`  missed: ${question}`);

const platform = await killablePlatform({});
try {
  await platform.start();
  const from = performance.now();
  const killing = killSometimes();
  await runConcurrently(pages, CONCURRENCY, (i) => uploadPage(i + 1));
  const accepted = performance.now();
  await killing;
  await untilEnded();
  const ended = performance.now();
  await platform.kill();
  await report(accepted - from, ended - from);
} finally {
  await platform.end();
}

async function report(acceptedMs: number, endedMs: number): Promise<void> {
  const { db, stop } = await dbOfFolder(platform.dataDir);
  const { contents, missing, orphans } = await auditChunks(db);
  await stop();
  const count = (status: string) => contents.filter((one) => one.status === status).length;
  const explained = contents.filter(
    ({ status, status_message }) => status !== "failed" || status_message !== "",
  ).length;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;
  printTable([
    { what: "pages", figure: String(pages) },
    { what: "kills", figure: String(kills) },
    { what: "all accepted after", figure: seconds(acceptedMs) },
    { what: "all ended after", figure: seconds(endedMs) },
    { what: "completed", figure: String(count("completed")) },
    { what: "failed, with a reason", figure: String(count("failed")) },
    { what: "chunks that are missing", figure: String(missing.length), goal: "0" },
    { what: "orphaned chunks", figure: String(orphans.length), goal: "0" },
  ]);
  const isRight = contents.length === pages && explained === pages && count("processing") === 0;
  if (!isRight || missing.length + orphans.length > 0) process.exitCode = 1;
}

/** A page of a few paragraphs, determined by its number. */
function pageOf(n: number): { name: string; type: string; text: string } {
  const name = `page-${n}`;
  if (n % BROKEN === 0) return { name: `${name}.pdf`, type: "application/pdf", text: "no PDF at all" };
  const paragraph = (i: number) => `Part ${i} of page ${n} describes device ${n * 7 + i}. `.repeat(12);
  const text = Array.from({ length: 1 + (n % 6) }, (_, i) => `# Section ${i}\n${paragraph(i)}`).join("\n\n");
  return { name: `${name}.md`, type: "text/markdown", text };
}

/** Retries until the upload is accepted: a repeated request to a restarted platform is the same upload. */
async function uploadPage(n: number): Promise<void> {
  const { name, type, text } = pageOf(n);
  for (;;) {
    const form = new FormData();
    form.set("file", new File([text], name, { type }));
    const status = await platform.admin.post("/knowledge/content", { form }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 202) return;
    await pause(200);
  }
}

async function killSometimes(): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(2_000 + random() * 4_000);
    await platform.kill();
    await platform.start();
  }
}

async function untilEnded(): Promise<void> {
  for (const until = performance.now() + SETTLES_WITHIN_MS; ; await pause(1_000)) {
    if ((await countProcessing(platform)) === 0) return;
    if (performance.now() > until) throw new Error("some pages are processed for ever");
  }
}

async function countProcessing({ admin }: KillablePlatform): Promise<number> {
  let processing = 0;
  for (let page = 1; ; page += 1) {
    const { json } = await admin.get(`/knowledge/content?limit=500&page=${page}`);
    const statuses: string[] = json.data.map(({ status }: { status: string }) => status);
    processing += statuses.filter((status) => status === "processing").length;
    if (page >= json.meta.total_pages) return processing + Math.max(0, pages - json.meta.total_count);
  }
}

function options() {
  const { values } = parseArgs({
    options: {
      pages: { type: "string", default: "2000" },
      kills: { type: "string", default: "4" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  console.log(`seed ${values.seed}`);
  return { pages: Number(values.pages), kills: Number(values.kills), seed: Number(values.seed) };
}
