import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** One mapping for a whole file: positions in it lead to nothing in particular. */
const mapOfNothing = JSON.stringify({
  version: 3,
  sources: ["node_modules/package"],
  names: [],
  mappings: "AAAA",
});
const comment = `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(mapOfNothing).toString("base64")}`;

/** Code that is to have no part in the source map. */
export const asPackage = (code: string): string => code + comment;

/**
 * Keeps packages out of source maps: what leads back to our own sources is a tenth of the whole, small enough to be
 * deployed with the code.
 */
export const ownMaps: Plugin = {
  name: "own-maps",
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: asPackage(await readFile(path, "utf8")),
      loader: "default",
    }));
  },
};
