import type { Metafile } from "esbuild";
import { describe, expect, test } from "vitest";
import { bundleSize } from "../../../build/bundles/bundle-size.ts";
import { testMetafiles } from "../../support/test-metafiles.ts";
import "../../support/bundled.ts";

/** The protocol's packages are read by requests to the MCP server, and by runs with tools of one: by nothing else. */
const metafiles = testMetafiles();
const isOfPackage = (path: string) => /node_modules\/@modelcontextprotocol\//.test(path);

/** Modules that are loaded with these, without waiting for anything. */
function loadedWith(from: readonly string[], { inputs }: Metafile): ReadonlySet<string> {
  const found = new Set(from);
  for (const path of found)
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind === "import-statement" && next in inputs) found.add(next);
  return found;
}

/** What loads one of the packages on demand: `<module> → <what it imports>`. */
const demands = (metafile: Metafile): string[] =>
  Object.entries(metafile.inputs)
    .filter(([path]) => !path.includes("node_modules/"))
    .flatMap(([path, { imports }]) =>
      imports
        .filter(({ kind }) => kind === "dynamic-import")
        .filter(({ path: next }) => [...loadedWith([next], metafile)].some(isOfPackage))
        .map(({ original = "" }) => `${path} → ${original}`),
    );

describe.each(Object.keys(metafiles))("the function %s", (name) => {
  const metafile = metafiles[name] as Metafile;

  test("reads no package of MCP to start", () => {
    const entries = Object.keys(metafile.inputs).filter((path) => path === `functions/${name}/index.ts`);
    expect(entries).toHaveLength(1);
    expect([...loadedWith(entries, metafile)].filter(isOfPackage)).toEqual([]);
  });

  test("reads one for a request to the MCP server, or for tools of one, alone", () => {
    const known = [
      "functions/runs/run-handlers.ts → ./mcp/call-mcp.ts",
      "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client",
      "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client/stdio",
    ];
    expect(demands(metafile).filter((one) => !known.includes(one))).toEqual([]);
  });
});

test("the function that serves MCP is within the goal of a start: 1,000 KB, and 6.6 percent for its families", () => {
  const { atStart } = bundleSize(metafiles.runs as Metafile);
  expect(atStart).toBeLessThanOrEqual(1_066_000);
});
