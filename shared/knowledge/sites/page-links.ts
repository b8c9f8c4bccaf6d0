import { decodedText } from "../readers/text-encoding.ts";

/** A page is read for its links in the worker itself, so only what a page may reasonably have is looked at. */
const MAX_PAGE_BYTES = 5_000_000;
const MAX_LINKS = 5_000;

/**
 * The addresses that a page links to, in its order.
 *
 * @param url  of the page, which its links are relative to
 */
export async function pageLinks(bytes: Uint8Array, url: string): Promise<string[]> {
  const { Parser } = await import("htmlparser2");
  const links = new Set<string>();
  let base = url;
  const parser = new Parser(
    {
      onopentag: (name, { href, rel = "" }) => {
        if (href === undefined || links.size >= MAX_LINKS) return;
        if (name === "base") base = URL.parse(href, url)?.href ?? url;
        if (name !== "a" || /\bnofollow\b/i.test(rel)) return;
        const target = URL.parse(href, base);
        if (target && /^https?:$/.test(target.protocol)) links.add(target.href);
      },
    },
    { decodeEntities: true },
  );
  parser.end(await decodedText(bytes.subarray(0, MAX_PAGE_BYTES)));
  return [...links];
}
