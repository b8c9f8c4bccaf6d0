import { build as esbuild, type Metafile, type Plugin } from "esbuild";
import { asModule } from "./as-module.ts";

/** Modules whose exports are plain data, made from much that users of the data need not load. */
const files = /\/shared\/(?:routes\/access-table\.ts|runtime\/version\.[jt]s)$/;

export type Evaluated = {
  readonly plugin: Plugin;
  /** What the data was made from, so far; a bundle is stale when any of it changes. */
  readonly inputs: () => Metafile["inputs"];
};

/** Puts the data of some modules into a bundle, and not the code that makes them. */
export function evaluated(): Evaluated {
  const inputs: Metafile["inputs"] = {};
  const plugin: Plugin = {
    name: "evaluated",
    setup({ onLoad, initialOptions }) {
      onLoad({ filter: files }, async ({ path }) => {
        const { outputFiles, metafile } = await esbuild({
          absWorkingDir: initialOptions.absWorkingDir ?? process.cwd(),
          entryPoints: [path],
          bundle: true,
          write: false,
          metafile: true,
          format: "esm",
          platform: "node",
          logLevel: "silent",
        });
        Object.assign(inputs, metafile.inputs);
        const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
        const data: object = await import(`data:text/javascript;base64,${code}`);
        return { contents: asModule(data), loader: "js" };
      });
    },
  };
  return { plugin, inputs: () => inputs };
}
