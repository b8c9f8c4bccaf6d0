import { extensionOf } from "../readers/pick-reader.ts";
import { readers } from "../readers/readers.ts";

/** Longer addresses are made by programs for programs. */
const MAX_URL_CHARS = 1_000;

/** Pages that programs make have the endings of those programs. */
const PAGES = new Set([".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp"]);
const FILES = new Set(
  Object.values(readers)
    .filter(({ name }) => name !== readers.zip.name)
    .flatMap(({ types }): readonly string[] => types),
);

/** Which addresses belong to a site: those of the same host, below the folder of the address that was added. */
export type SiteScope = {
  /** The address as it is kept; undefined for one that does not belong to the site, or is no page. */
  readonly taken: (address: string, base?: string) => string | undefined;
};

export function siteScope(start: string): SiteScope {
  const { origin, pathname } = new URL(start);
  const folder = pathname.slice(0, pathname.lastIndexOf("/") + 1);
  return {
    taken: (address, base) => {
      const url = URL.parse(address.trim(), base);
      if (!url || url.origin !== origin || url.username !== "" || !url.pathname.startsWith(folder))
        return undefined;
      url.hash = "";
      const extension = extensionOf(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
      const isPage = extension === "" || PAGES.has(extension) || FILES.has(extension);
      return isPage && url.href.length <= MAX_URL_CHARS ? url.href : undefined;
    },
  };
}
