import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

export type SiteFile = {
  readonly contents: Buffer;
  /** The same, compressed with brotli; undefined for what gains nothing by it. */
  readonly brotli: Buffer | undefined;
  readonly contentType: string;
  readonly digest: string;
};

export type Site = {
  /** The page itself. */
  readonly page: SiteFile;
  /** A file by its name, which carries a digest of its content; undefined for one that is not there. */
  readonly file: (name: string) => SiteFile | undefined;
};

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/**
 * Opens the folder with the bundled page: `index.html`, and `files/` with all that it loads. Names are listed once, so that
 * nothing but what was built can be asked for; contents are read when they are first wanted, and kept.
 *
 * @throws Error when the page is not there, so that the function does not start without it
 */
export function openSite(folder: string): Site {
  const files = join(folder, "files");
  const names = new Set(readdirSync(files));
  const read = new Map<string, SiteFile>();
  const page = readSiteFile(join(folder, "index.html"), readdirSync(folder).includes("index.html.br"));
  return {
    page,
    file: (name) => {
      if (!names.has(name) || !(extname(name) in contentTypes)) return undefined;
      const found = read.get(name) ?? readSiteFile(join(files, name), names.has(`${name}.br`));
      read.set(name, found);
      return found;
    },
  };
}

function readSiteFile(path: string, hasBrotli: boolean): SiteFile {
  const contents = readFileSync(path);
  return {
    contents,
    brotli: hasBrotli ? readFileSync(`${path}.br`) : undefined,
    contentType: contentTypes[extname(path)] ?? "application/octet-stream",
    digest: createHash("sha256").update(contents).digest("base64url"),
  };
}
