import type { Metafile } from "esbuild";

/** Bytes of a function's code: what it reads to start, and what it reads only when it needs it. */
export type BundleSize = {
  readonly atStart: number;
  readonly lazy: number;
  /** Of a function that serves a page: what a browser loads before it shows, with gzip. */
  readonly firstLoad?: number;
};

export function bundleSize({ outputs }: Metafile): BundleSize {
  const code = Object.entries(outputs).filter(([path]) => path.endsWith(".mjs"));
  const entry = code.find(([, { entryPoint }]) =>
    /^functions\/[^/]+\/index\.[jt]s$/.test(entryPoint ?? ""),
  )?.[0];
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next in outputs) load(next);
    }
  };
  if (entry) load(entry);
  const bytes = (wanted: boolean) =>
    code.reduce((sum, [path, output]) => (loaded.has(path) === wanted ? sum + output.bytes : sum), 0);
  return { atStart: bytes(true), lazy: bytes(false) };
}
