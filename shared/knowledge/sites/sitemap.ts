import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ContentFault } from "../content-fault.ts";
import { guardedFetch } from "../fetch/guarded-fetch.ts";
import { parseXml } from "../readers/parse-xml.ts";

/** @source sitemaps.org: 50 MB, and 50,000 addresses; an index names site maps, and no other index */
const MAX_MAP_BYTES = 50_000_000;
const MAX_MAPS = 50;

/**
 * The addresses of pages that a site map names, or the site maps of an index. Each is fetched with the guard of
 * addresses, and those of an index must be on the same host.
 *
 * @param take  called with each address until it returns false
 * @throws ContentFault for what is no site map; what guardedFetch throws
 */
export async function readSitemap(
  address: string,
  allowedHosts: readonly string[],
  take: (url: string) => boolean,
): Promise<void> {
  const { origin } = new URL(address);
  const waiting = [address];
  for (let read = 0; read < waiting.length; read += 1) {
    const map = waiting[read] ?? "";
    const { kind, urls } = await mapAt(map, allowedHosts);
    if (kind === "index" && read === 0) {
      const own = urls.filter((url) => URL.parse(url)?.origin === origin);
      if (own.length > MAX_MAPS) throw new ContentFault(`The index names more than ${MAX_MAPS} site maps.`);
      waiting.push(...own);
    } else if (kind === "pages") {
      for (const url of urls) if (!take(url)) return;
    }
  }
}

type SiteMap = { readonly kind: "index" | "pages"; readonly urls: readonly string[] };

async function mapAt(address: string, allowedHosts: readonly string[]): Promise<SiteMap> {
  const { bytes } = await guardedFetch(address, { allowedHosts });
  const stack: string[] = [];
  const urls: string[] = [];
  let kind: SiteMap["kind"] | undefined;
  let url = "";
  await parseXml(await unpacked(bytes), {
    open: (name) => {
      if (stack.length === 0)
        kind = name === "sitemapindex" ? "index" : name === "urlset" ? "pages" : undefined;
      stack.push(name);
      if (name === "loc") url = "";
    },
    text: (text) => {
      if (stack.at(-1) === "loc") url += text;
    },
    close: () => {
      const [element, parent] = [stack.pop(), stack.at(-1)];
      // Pictures and videos of a page have addresses of the same name.
      if (element === "loc" && (parent === "url" || parent === "sitemap")) urls.push(url.trim());
    },
  });
  if (kind === undefined) throw new ContentFault(`The address is no site map: ${address}`);
  return { kind, urls };
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_MAP_BYTES });
  } catch {
    throw new ContentFault(`The site map is damaged, or unpacks to more than ${MAX_MAP_BYTES / 1e6} MB.`);
  }
}
