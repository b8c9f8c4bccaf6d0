import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chunkers } from "../../shared/knowledge/chunkers/chunkers.ts";
import type { Chunk } from "./chunks.ts";

const FOLDER = fileURLToPath(new URL("../../node_modules/", import.meta.url));
const FILES = ["{fastify,undici,pino}/docs/**/*.md", "aws-cdk-lib/*/README.md", "*/README.md"];
/** Shorter files only point to others. */
const LEAST_LETTERS = 2_000;
const SIZES = { size: 5_000, overlap: 0 };

/** Documentation that comes with packages, read where it is installed and cut by headings as an upload is. */
export async function readPackageDocs(): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (const file of FILES.flatMap((pattern) => globSync(pattern, { cwd: FOLDER })).toSorted()) {
    const text = readFileSync(join(FOLDER, file), "utf8");
    if (text.length < LEAST_LETTERS) continue;
    const passages = await chunkers.MarkdownChunker.cut({ text, about: {} }, SIZES, async () => []);
    for (const { text: cut, about } of passages.filter((one) => one.text.trim() !== "")) {
      const heading = typeof about.heading === "string" ? about.heading : undefined;
      chunks.push({ id: String(chunks.length), language: "en", text: cut, heading, file });
    }
  }
  return chunks;
}
