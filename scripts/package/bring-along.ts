import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

/**
 * Modules of packages of which the platform uses a small part: it comes with the platform, and a project does not install the rest.
 * Those that share a file share their classes.
 */
const modules: Readonly<Record<string, string>> = {
  "gpt-tokenizer/encoding/o200k_base": "tokenizer.js",
  "@opentelemetry/exporter-trace-otlp-http": "trace-exporter.js",
  mammoth: "docx.js",
  "@modelcontextprotocol/client": "mcp-client.js",
  "@modelcontextprotocol/client/stdio": "mcp-client.js",
  "@modelcontextprotocol/server": "mcp-server.js",
  "@ai-sdk/amazon-bedrock": "bedrock.js",
};

const packageOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

export const broughtAlong: readonly string[] = [...new Set(Object.keys(modules).map(packageOf))];

/**
 * Bundles each of these modules into one file below `brought/`, with the licences of what is in it, and has the compiled
 * modules import that.
 *
 * @param root  of this repository
 * @param out   folder of the compiled package
 */
export async function bringAlong(root: string, out: string): Promise<void> {
  const folder = join(out, "brought");
  mkdirSync(folder, { recursive: true });
  const inside = new Set<string>();
  for (const [file, together] of Map.groupBy(Object.entries(modules), ([, file]) => file)) {
    const { metafile } = await build({
      stdin: { contents: together.map(([path]) => contentsFor(path)).join("\n"), resolveDir: root },
      outfile: join(folder, file),
      bundle: true,
      minify: true,
      keepNames: true,
      metafile: true,
      platform: "node",
      format: "esm",
      target: "node24",
      // Whatever a project traces with shares its state; zod is there for the models.
      external: ["@opentelemetry/api", "zod"],
      legalComments: "none",
      logLevel: "error",
      banner: {
        js: 'import{createRequire as ownRequire}from"node:module";const require=ownRequire(import.meta.url);',
      },
    });
    for (const input of Object.keys(metafile.inputs)) {
      const at = input.lastIndexOf("node_modules/");
      if (at >= 0)
        inside.add(
          `${input.slice(0, at)}node_modules/${packageOf(input.slice(at + "node_modules/".length))}`,
        );
    }
  }
  copyLicences(
    [...inside].map((path) => join(process.cwd(), path)),
    folder,
  );
  rewriteImports(out, folder);
}

/** A package of CommonJS has its whole as the default. */
const contentsFor = (path: string): string =>
  path === "mammoth"
    ? `export { default } from ${JSON.stringify(path)};`
    : `export * from ${JSON.stringify(path)};`;

function copyLicences(packages: readonly string[], folder: string): void {
  for (const path of packages) {
    const [, name = ""] = path.split(/.*node_modules\//);
    const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
    if (file !== undefined)
      cpSync(join(path, file), join(folder, "licences", `${name.replace("/", "-")}.txt`));
  }
}

function rewriteImports(out: string, folder: string): void {
  const compiled = readdirSync(out, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && one.name.endsWith(".js") && !one.parentPath.startsWith(folder),
  );
  for (const { parentPath, name } of compiled) {
    const at = join(parentPath, name);
    const text = readFileSync(at, "utf8");
    let rewritten = text;
    for (const [path, file] of Object.entries(modules)) {
      const own = relative(dirname(at), join(folder, file)).replaceAll("\\", "/");
      rewritten = rewritten.replaceAll(new RegExp(`(from |import\\()"${path}"`, "g"), `$1"${own}"`);
    }
    if (rewritten !== text) writeFileSync(at, rewritten);
  }
}
