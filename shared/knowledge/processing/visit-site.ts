import type {
  SiteInput,
  SitePage,
  StoredContent,
  StoredFile,
} from "../../schemas/knowledge/knowledge-content.ts";
import { inBatches } from "../../stores/in-batches.ts";
import { getContent } from "../../stores/knowledge/content-item.ts";
import { getObject } from "../../stores/objects/object-bytes.ts";
import { ContentFault } from "../content-fault.ts";
import { FinalResponse } from "../fetch/answers.ts";
import { type Fetched, guardedFetch } from "../fetch/guarded-fetch.ts";
import { pageLinks } from "../sites/page-links.ts";
import { type MayVisit, robotsOf } from "../sites/robots.ts";
import { type SiteScope, siteScope } from "../sites/site-scope.ts";
import { readSitemap } from "../sites/sitemap.ts";
import { type LeasedDeps, whileLeased, writeLeased } from "./content-lease.ts";
import { conditionsOf } from "./fetch-file.ts";
import { OutOfTime } from "./out-of-time.ts";
import type { ProcessingDeps } from "./processing-deps.ts";
import { pageIdOf, putPage } from "./put-page.ts";
import { duringStep } from "./step-failed.ts";

/** Pages between two records of the visit, and how many are asked for at a time. */
const BATCH_PAGES = 16;
const AT_A_TIME = 4;
/** Characters of all addresses of a site: they are in its record. */
const MAX_URLS_CHARS = 150_000;

type Visit = { readonly input: SiteInput; readonly scope: SiteScope; readonly mayVisit: MayVisit };

/**
 * Visits the pages of a site, each of which becomes a content. What was visited is recorded batch by batch, so a worker
 * that takes over goes on there; a page that it visits again has not changed.
 *
 *   site map or start ─▶ pages ─▶ fetched, unless unchanged ─▶ contents ─▶ (with links) more pages
 *
 * @throws ContentFault, StepFailed, LeaseLost, Superseded, OutOfTime
 */
export async function visitSite(
  deps: LeasedDeps,
  content: StoredContent,
  until: number,
): Promise<StoredContent> {
  const { input } = content;
  if (input.kind !== "site") throw new Error("only a site is visited");
  const mayVisit = await duringStep("reading robots.txt", () => robotsOf(input.url, deps.allowedHosts));
  const visit = { input, scope: siteScope(input.url), mayVisit };
  let leased = input.pages ? content : await beginVisit(deps, content, visit);
  for (;;) {
    const { input: site } = leased;
    if (site.kind !== "site" || !site.pages) throw new Error("a visit that has begun has pages");
    const { pages, next = 0 } = site;
    if (next >= pages.length) return leased;
    if (deps.clock.now() >= until) throw new OutOfTime();
    const batch = pages.slice(next, next + BATCH_PAGES);
    const known = new Set(pages.map(({ url }) => url));
    const seen = await whileLeased(deps, visitBatch(deps, content, visit, batch, known));
    const visited = [
      ...pages.slice(0, next),
      ...seen.map(({ page }) => page),
      ...pages.slice(next + batch.length),
    ];
    const links = seen.flatMap(({ page, links }) => links.map((url) => ({ url, depth: page.depth + 1 })));
    const { added, more } = withinLimits(visited, links, site.max_pages);
    const after = next + batch.length;
    leased = await writeLeased(deps, leased, (one) => ({
      ...one,
      // What got this far begins to count anew.
      attempt: 1,
      status_message: `${after} of ${added.length} pages`,
      input: { ...site, pages: added, next: after, more: (site.more ?? false) || more },
    }));
  }
}

async function beginVisit(
  deps: LeasedDeps,
  content: StoredContent,
  { input, scope, mayVisit }: Visit,
): Promise<StoredContent> {
  const start = await whileLeased(deps, startOf(deps, { input, scope, mayVisit }));
  const { added, more } = withinLimits([], start, input.max_pages);
  if (added.length === 0)
    throw new ContentFault("The site map names no pages of this site that may be read.");
  return writeLeased(deps, content, (seen) => ({
    ...seen,
    input: { ...input, pages: added, next: 0, more },
  }));
}

async function startOf(deps: ProcessingDeps, { input, scope, mayVisit }: Visit): Promise<SitePage[]> {
  if (input.from === "links") {
    if (!mayVisit(input.url)) throw new ContentFault("The site does not allow it: robots.txt.");
    return [{ url: new URL(input.url).href, depth: 0 }];
  }
  const pages = new Map<string, SitePage>();
  await duringStep("reading the site map", () =>
    readSitemap(input.url, deps.allowedHosts, (address) => {
      const url = scope.taken(address);
      if (url !== undefined && mayVisit(url)) pages.set(url, { url, depth: 0 });
      return pages.size <= input.max_pages;
    }),
  );
  return [...pages.values()];
}

/** Pages and those that were found on them, as many as may be. */
function withinLimits(
  pages: readonly SitePage[],
  found: readonly SitePage[],
  maxPages: number,
): { added: SitePage[]; more: boolean } {
  const known = new Set(pages.map(({ url }) => url));
  const added = [...pages];
  let chars = pages.reduce((sum, { url }) => sum + url.length, 0);
  for (const page of found) {
    if (known.has(page.url)) continue;
    if (added.length >= maxPages || chars + page.url.length > MAX_URLS_CHARS) return { added, more: true };
    known.add(page.url);
    added.push(page);
    chars += page.url.length;
  }
  return { added, more: false };
}

type Seen = { readonly page: SitePage; readonly links: readonly string[] };

async function visitBatch(
  deps: ProcessingDeps,
  site: StoredContent,
  visit: Visit,
  batch: readonly SitePage[],
  known: ReadonlySet<string>,
): Promise<Seen[]> {
  const seen = new Map<string, Seen>();
  await inBatches(
    batch,
    1,
    async ([page]) => {
      if (page) seen.set(page.url, await visitPage(deps, site, visit, page, known));
    },
    AT_A_TIME,
  );
  return batch.map((page) => seen.get(page.url) ?? { page, links: [] });
}

async function visitPage(
  deps: ProcessingDeps,
  site: StoredContent,
  { input, scope, mayVisit }: Visit,
  { url, depth }: SitePage,
  known: ReadonlySet<string>,
): Promise<Seen> {
  const nothing: Seen = { page: { url, depth }, links: [] };
  const id = pageIdOf(site, url);
  const found = await getContent(deps.db, { knowledge_id: site.knowledge_id, id });
  const earlier = found && !found.removed && found.status !== "failed" ? found : undefined;
  const page = { url, depth, id };
  let fetched: Fetched;
  try {
    const headers = conditionsOf(earlier?.fetched);
    fetched = await guardedFetch(url, { allowedHosts: deps.allowedHosts, headers });
  } catch (error) {
    // A link may be wrong; the page is gone, or never was one.
    if (error instanceof FinalResponse && (error.status === 404 || error.status === 410)) return nothing;
    // It stays as it was; a new one is tried by itself, and says why it fails.
    if (!earlier) await putPage(deps, site, url, undefined);
    return { page, links: [] };
  }
  const final = scope.taken(fetched.url);
  if (final === undefined || !mayVisit(final) || (final !== url && known.has(final))) return nothing;
  const held = earlier?.fetched;
  const bytes = fetched.unchanged && held ? await getObject(deps.db, held.object) : fetched.bytes;
  const isPage = isHtml(fetched, held);
  const links =
    input.from === "links" && depth < input.depth && isPage ? await pageLinks(bytes, fetched.url) : [];
  if (!fetched.unchanged) await putPage(deps, site, url, fetched);
  const taken = links.map((link) => scope.taken(link)).filter((link) => link !== undefined && mayVisit(link));
  return { page, links: taken.filter((link) => link !== undefined) };
}

const isHtml = ({ mime_type, unchanged }: Fetched, held: StoredFile | undefined): boolean =>
  /html|^$/.test(unchanged ? (held?.mime_type ?? "") : mime_type);
