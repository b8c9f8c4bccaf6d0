import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Whole programs in a file, minified by those who made them. */
const files = /\/node_modules\/unpdf\/dist\/pdfjs\.mjs$/;

/** Copies what gains nothing by being bundled: reading this PDF library again took a fifth of the time of a build. */
export const asTheyAre: Plugin = {
  name: "as-they-are",
  setup({ onLoad }) {
    onLoad({ filter: files }, async ({ path }) => ({ contents: await readFile(path), loader: "copy" }));
  },
};
