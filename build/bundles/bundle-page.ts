import { existsSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";
import { build as esbuild, type Metafile, type Plugin } from "esbuild";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import { pathFrom } from "./path-from.ts";

/** The pages that functions serve, by the function's name: path of the entry from the top of the project. */
const pages: Readonly<Record<string, string>> = { console: "console/main.tsx" };

/** Where the function serves the files that carry a hash in their name. */
const PUBLIC_PATH = `${PAGE_PATH}/files`;

/** What is worth compressing; pictures and fonts are compressed already. */
const TEXT = /\.(js|css|html|svg|json|txt)$/;

export type WrittenFile = { readonly path: string; readonly contents: Uint8Array };

export type Page = {
  readonly metafile: Metafile;
  /** Among them `site/index.html`, which names the others. */
  readonly outputFiles: readonly WrittenFile[];
  /** Bytes, with gzip, of what a browser loads before the page shows. */
  readonly firstLoad: number;
};

export type PageOptions = {
  /** Top of the project. */
  readonly root: string;
  /** Folder of the function's bundle; the page is written to `site/` in it. */
  readonly outdir: string;
  /** Whether it is to be small: minified, and with a compressed copy beside each file. */
  readonly minify: boolean;
};

/** Entry of the page that a function serves; undefined for one without a page. */
export function pageOf(root: string, name: string): string | undefined {
  const entry = pages[name];
  return entry !== undefined && existsSync(join(root, entry)) ? entry : undefined;
}

/** Whether a function serves a page. Such a bundle takes longest, and nothing waits for it when a platform starts. */
export const hasPage = (name: string): boolean => name in pages;

/**
 * Bundles a page for browsers, without writing anything: `site/index.html`, and below `site/files/` scripts, style and
 * pictures, each with a digest of its content in its name.
 *
 * @param entry  path from the top of the project
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 * @throws Error when a style sheet is imported only by code that is loaded on demand: nothing would load it
 */
export async function bundlePage(entry: string, { root, outdir, minify }: PageOptions): Promise<Page> {
  const site = join(outdir, "site");
  const { outputFiles, metafile } = await esbuild({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: "main" }],
    outdir: join(site, "files"),
    publicPath: PUBLIC_PATH,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    write: false,
    metafile: true,
    minify,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".svg": "file", ".png": "file", ".woff2": "file" },
    legalComments: "none",
    logLevel: "silent",
    plugins: [englishOnly],
  });
  const needed = firstFiles(metafile, entry);
  refuseLooseStyles(metafile, needed.style);
  const html = Buffer.from(pageHtml(needed));
  const files: WrittenFile[] = [...outputFiles, { path: join(site, "index.html"), contents: html }];
  const written = minify ? [...files, ...(await compressed(files))] : files;
  return {
    metafile: { inputs: metafile.inputs, outputs: { ...metafile.outputs, ...sizesOf(root, written) } },
    outputFiles: written,
    firstLoad: gzipBytes(html) + loadedFirst(root, outputFiles, needed),
  };
}

/**
 * React Aria brings its labels for screen readers in 34 languages, 157 KB of the first load. The console is in English, and a page
 * that is read in two languages is read wrongly, so each of them is the English one.
 */
const englishOnly: Plugin = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]react-aria(-components)?[\\/]dist[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.m?js$/ },
      ({ path }) =>
        /[\\/]en-US\.m?js$/.test(path)
          ? undefined
          : { contents: `export { default } from "./en-US${extname(path)}";`, resolveDir: dirname(path) },
    );
  },
};

type FirstFiles = {
  readonly script: string;
  readonly style: string | undefined;
  /** What the script imports before it runs. */
  readonly imported: readonly string[];
};

/** Files of the first load, by path from the top of the project. */
function firstFiles({ outputs }: Metafile, entry: string): FirstFiles {
  const [script, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
  if (script === undefined) throw new Error(`${entry} gave no script`);
  const imported = new Set<string>();
  const follow = (path: string): void => {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement" || !(next in outputs) || imported.has(next)) continue;
      imported.add(next);
      follow(next);
    }
  };
  follow(script);
  return { script, style: output?.cssBundle, imported: [...imported] };
}

function refuseLooseStyles({ outputs }: Metafile, style: string | undefined): void {
  const loose = Object.entries(outputs).filter(([path]) => path.endsWith(".css") && path !== style);
  const sources = loose.flatMap(([, { inputs }]) => Object.keys(inputs));
  if (sources.length > 0)
    throw new Error(
      `${sources.join(", ")}: import it from the entry too; what is loaded on demand brings no style`,
    );
}

/** @source https://developer.mozilla.org/docs/Web/HTML/Attributes/rel/modulepreload */
function pageHtml({ script, style, imported }: FirstFiles): string {
  const address = (path: string): string => `${PUBLIC_PATH}/${posix.basename(path)}`;
  const preloads = imported.map((path) => `<link rel="modulepreload" href="${address(path)}">`);
  const sheet = style === undefined ? [] : [`<link rel="stylesheet" href="${address(style)}">`];
  return `${[
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    "<title>Console</title>",
    '<link rel="icon" href="/favicon.ico">',
    ...sheet,
    `<script type="module" src="${address(script)}"></script>`,
    ...preloads,
    "</head>",
    "<body>",
    '<div id="root"></div>',
    "<noscript>The console needs JavaScript.</noscript>",
    "</body>",
    "</html>",
  ].join("\n")}\n`;
}

const brotli = promisify(brotliCompress);

/** Compressed here, once: a request would pay for it each time. */
const compressed = (files: readonly WrittenFile[]): Promise<WrittenFile[]> =>
  Promise.all(
    files
      .filter(({ path }) => TEXT.test(path))
      .map(async ({ path, contents }) => ({
        path: `${path}.br`,
        contents: await brotli(contents, {
          params: {
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
          },
        }),
      })),
  );

/** What the bundler does not list itself. */
function sizesOf(root: string, files: readonly WrittenFile[]): Metafile["outputs"] {
  const entries = files.map(({ path, contents }) => [
    pathFrom(root, path),
    { bytes: contents.length, inputs: {}, imports: [], exports: [] },
  ]);
  return Object.fromEntries(entries.filter(([path]) => /\.(html|br)$/.test(String(path))));
}

function loadedFirst(root: string, files: readonly WrittenFile[], needed: FirstFiles): number {
  const first = new Set([needed.script, needed.style, ...needed.imported]);
  return files
    .filter(({ path }) => first.has(pathFrom(root, path)))
    .reduce((sum, { contents }) => sum + gzipBytes(contents), 0);
}

const gzipBytes = (contents: Uint8Array): number => gzipSync(contents).length;
