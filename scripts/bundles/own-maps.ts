import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** One mapping for a whole file: positions in it lead to nothing in particular. */
const mapOfNothing = JSON.stringify({ version: 3, sources: ["package"], names: [], mappings: "AAAA" });
const comment = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(mapOfNothing).toString("base64")}`;

/** Texts of packages, read once for all the functions that a build bundles. */
const texts = new Map<string, Promise<string>>();

/**
 * Keeps packages out of source maps: what leads back to our own sources is a tenth of the whole, small enough to be
 * deployed with the code.
 */
export const ownMaps: Plugin = {
  name: "own-maps",
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const text = texts.get(path) ?? readFile(path, "utf8");
      texts.set(path, text);
      return { contents: (await text) + comment, loader: "default" };
    });
  },
};
