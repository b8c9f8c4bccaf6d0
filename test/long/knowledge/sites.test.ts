import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  newContent,
  planRefresh,
  planRemoval,
  planReupload,
} from "../../../shared/domain/knowledge/content-plans.ts";
import { processContent } from "../../../shared/knowledge/processing/process-content.ts";
import type { ProcessingDeps } from "../../../shared/knowledge/processing/processing-deps.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { SiteInput, StoredContent } from "../../../shared/schemas/knowledge/knowledge-content.ts";
import { contentWork, getContent } from "../../../shared/stores/knowledge/content-item.ts";
import { changeContent, putContent } from "../../../shared/stores/knowledge/put-content.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { auditChunks } from "../../support/chunk-audit.ts";
import { contentWorker } from "../../support/content-worker.ts";
import { type ManualClock, manualClock } from "../../support/manual-clock.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

type Page = { status?: number; headers?: Record<string, string>; body: string | Uint8Array };

let stores: TestStores;
let web: Server;
let origin: string;
let pages: Record<string, Page>;
let asked: { path: string; answered: number }[];
let clock: ManualClock;
beforeAll(async () => {
  web = createServer((incoming, response) => {
    const path = incoming.url ?? "/";
    const { status = 200, headers = {}, body } = pages[path] ?? { status: 404, body: "" };
    const isKnown = headers.etag !== undefined && incoming.headers["if-none-match"] === headers.etag;
    const since = incoming.headers["if-modified-since"];
    const answered = isKnown || (since && since === headers["last-modified"]) ? 304 : status;
    asked.push({ path, answered });
    response.writeHead(answered, headers).end(answered === 304 ? "" : body);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server's
});
afterAll(() => web.close());
beforeEach(async () => {
  stores = await startStores();
  clock = manualClock(1_790_000_000_000);
  [pages, asked] = [{}, []];
  return () => stores.stop();
});

const html = (title: string, links: readonly string[] = [], etag?: string): Page => ({
  headers: { "content-type": "text/html", ...(etag !== undefined && { etag }) },
  body: `<title>${title}</title><p>${title} graze.</p>${links.map((link) => `<a href="${link}">x</a>`).join("")}`,
});
const siteMap = (...paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${path.startsWith("http") ? path : origin + path}</loc><image:image><image:loc>${origin}/docs/picture</image:loc></image:image></url>`).join("")}</urlset>`;

const address = { knowledge_id: "kb", id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111" };
const messages: { knowledge_id: string; id: string }[] = [];
const deps = (db = stores.db): ProcessingDeps =>
  contentWorker(db, clock, {
    queue: { send: async (message) => void messages.push(message) },
    allowedHosts: [new URL(origin).host],
  });

const NEVER = Number.POSITIVE_INFINITY;
/** Processes what messages wake, and what the sweeper finds whose message was lost, until nothing is due any more. */
async function settled(): Promise<void> {
  for (let turns = 0; messages.length > 0 && turns < 300; turns += 1) {
    const next = messages.shift();
    clock.advance(5_000);
    if (next) await processContent(deps(), next, NEVER);
    for (const { message: due } of await contentWork.due(stores.db, epochSeconds(clock)))
      await processContent(deps(), due, NEVER);
  }
}

async function addSite(
  input: Partial<SiteInput> & Pick<SiteInput, "from">,
  path: string,
): Promise<StoredContent> {
  const site: SiteInput = { kind: "site", url: origin + path, depth: 1, max_pages: 100, ...input };
  const upload = {
    ...address,
    owner: null,
    name: "site",
    description: "",
    type: "url",
    size: 0,
    metadata: { a: 1 },
    input: site,
    options: {},
  };
  await putContent(stores.db, undefined, newContent(upload, epochSeconds(clock)));
  messages.push(address);
  await settled();
  return seen();
}
type Again = (content: StoredContent, now: number) => StoredContent | undefined;
async function refresh(again: Again = planRefresh): Promise<StoredContent> {
  asked.length = 0;
  await changeContent(stores.db, await seen(), (content) => again(content, epochSeconds(clock)));
  messages.push(address);
  await settled();
  return seen();
}
async function seen(): Promise<StoredContent> {
  const content = await getContent(stores.db, address);
  if (!content) throw new Error("the site is gone");
  return content;
}
/** The pages that are found, with how often their chunks were written. */
async function found() {
  const { contents, missing, orphans } = await auditChunks(stores.db);
  expect({ missing, orphans }).toEqual({ missing: [], orphans: [] });
  return contents
    .filter(({ parent_id, removed }) => parent_id === address.id && !removed)
    .map(({ name, status, revision }) => [name.slice(origin.length), status, revision] as const)
    .toSorted();
}
const askedFor = () => asked.map(({ path, answered }) => `${path} ${answered}`).toSorted();

describe("a site map", () => {
  test("gives its pages of the same host below the same folder, each a content; robots.txt is honoured", async () => {
    pages = {
      "/robots.txt": { body: "User-agent: agent-platform\nDisallow: /docs/private" },
      "/docs/sitemap.xml": {
        body: siteMap(
          "/docs/gnus",
          "/docs/kudus.html",
          "/docs/private/x",
          "/other",
          "http://192.168.0.1/docs/x",
          "/docs/a.png",
        ),
      },
      "/docs/gnus": html("Gnus"),
      "/docs/kudus.html": html("Kudus"),
    };
    expect(await addSite({ from: "sitemap" }, "/docs/sitemap.xml")).toMatchObject({
      status: "completed",
      status_message: "",
    });
    expect(await found()).toEqual([
      ["/docs/gnus", "completed", 1],
      ["/docs/kudus.html", "completed", 1],
    ]);
    // Each page is fetched once: what the visit fetched is what its content reads.
    expect(askedFor()).toEqual([
      "/docs/gnus 200",
      "/docs/kudus.html 200",
      "/docs/sitemap.xml 200",
      "/robots.txt 200",
    ]);
  });

  test("may be an index of others, and packed", async () => {
    const index = `<sitemapindex><sitemap><loc>${origin}/one.xml.gz</loc></sitemap><sitemap><loc>http://example.com/two.xml</loc></sitemap></sitemapindex>`;
    pages = {
      "/sitemap.xml": { body: index },
      "/one.xml.gz": { body: new Uint8Array(gzipSync(siteMap("/gnus"))) },
      "/gnus": html("Gnus"),
    };
    await addSite({ from: "sitemap" }, "/sitemap.xml");
    expect(await found()).toEqual([["/gnus", "completed", 1]]);
  });

  test.each([
    ["that is a page", { body: "<html></html>" }, "no site map"],
    ["that is not there", { status: 404, body: "" }, "answered 404"],
    ["without pages", { body: "<urlset></urlset>" }, "names no pages"],
    ["that is a bomb", { body: gzipSync(Buffer.alloc(60_000_000)) }, "more than 50 MB"],
  ])("%s ends failed and says so", async (_what, page, reason) => {
    pages = { "/sitemap.xml": page };
    const { status, status_message } = await addSite({ from: "sitemap" }, "/sitemap.xml");
    expect({ status, status_message }).toEqual({
      status: "failed",
      status_message: expect.stringContaining(reason),
    });
  });
});

describe("links", () => {
  beforeEach(() => {
    pages = {
      "/docs/": html("Start", [
        "gnus",
        "/docs/kudus#top",
        "/other",
        "http://169.254.169.254/docs/x",
        "logo.png",
        "/docs/gone",
        "mailto:x@y",
      ]),
      "/docs/gnus": html("Gnus", ["deep", "/docs/"]),
      "/docs/kudus": html("Kudus"),
      "/docs/deep": html("Deep", ["deeper"]),
      "/docs/deeper": html("Deeper"),
    };
  });

  test("are followed as deep as was asked, and those that lead nowhere are no pages", async () => {
    expect(await addSite({ from: "links", depth: 2 }, "/docs/")).toMatchObject({
      status: "completed",
      status_message: "",
    });
    expect((await found()).map(([name]) => name)).toEqual([
      "/docs/",
      "/docs/deep",
      "/docs/gnus",
      "/docs/kudus",
    ]);
    expect(asked.map(({ path }) => path)).not.toContain("/other");
  });

  test("are followed up to the most pages that were asked for, and the message says that there are more", async () => {
    const { status, status_message } = await addSite({ from: "links", depth: 5, max_pages: 2 }, "/docs/");
    expect(await found()).toHaveLength(2);
    expect({ status, status_message }).toEqual({
      status: "completed",
      status_message: "The site has more than 2 pages; max_pages allows more.",
    });
  });

  test("are not followed where robots.txt forbids it, or cannot be read", async () => {
    pages["/robots.txt"] = { body: "User-agent: *\nDisallow: /docs" };
    expect(await addSite({ from: "links" }, "/docs/")).toMatchObject({
      status: "failed",
      status_message: expect.stringContaining("robots.txt"),
    });
  });

  test("that lead to addresses that are not public are not followed by a redirect either", async () => {
    pages["/docs/kudus"] = { status: 302, headers: { location: "http://169.254.169.254/latest/" }, body: "" };
    expect(await addSite({ from: "links" }, "/docs/")).toMatchObject({
      status: "completed",
      status_message: "1 of 3 pages could not be read.",
    });
    expect(await found()).toContainEqual(["/docs/kudus", "failed", 1]);
  });
});

describe("a refresh", () => {
  test("of a site fetches what has changed, adds what is new, and drops what is gone", async () => {
    pages = {
      "/sitemap.xml": { body: siteMap("/gnus", "/kudus", "/okapis") },
      "/gnus": html("Gnus", [], '"1"'),
      "/kudus": html("Kudus", [], '"1"'),
      "/okapis": {
        headers: { "content-type": "text/html", "last-modified": "Mon, 02 Mar 2026 09:15:00 GMT" },
        body: "Okapis",
      },
    };
    await addSite({ from: "sitemap" }, "/sitemap.xml");
    pages["/kudus"] = html("Kudus again", [], '"2"');
    pages["/tapirs"] = html("Tapirs");
    pages["/sitemap.xml"] = { body: siteMap("/kudus", "/okapis", "/tapirs") };
    delete pages["/gnus"];
    expect(await refresh()).toMatchObject({ status: "completed" });
    expect(askedFor()).toEqual([
      "/kudus 200",
      "/okapis 304",
      "/robots.txt 404",
      "/sitemap.xml 200",
      "/tapirs 200",
    ]);
    expect(await found()).toEqual([
      ["/kudus", "completed", 2],
      ["/okapis", "completed", 1],
      ["/tapirs", "completed", 1],
    ]);
  });

  test("is what adding the same site again is", async () => {
    pages = {
      "/sitemap.xml": { body: siteMap("/gnus", "/kudus") },
      "/gnus": html("Gnus"),
      "/kudus": html("Kudus"),
    };
    await addSite({ from: "sitemap" }, "/sitemap.xml");
    pages["/sitemap.xml"] = { body: siteMap("/kudus") };
    const site = { kind: "site" as const, url: `${origin}/sitemap.xml`, from: "sitemap" as const };
    await refresh((content, now) =>
      planReupload(content, { ...content, input: { ...site, depth: 0, max_pages: 50 } }, now),
    );
    expect(await found()).toEqual([["/kudus", "completed", 1]]);
  });

  test("while the site fails leaves what is found as it is", async () => {
    pages = { "/sitemap.xml": { body: siteMap("/gnus") }, "/gnus": html("Gnus", [], '"1"') };
    await addSite({ from: "sitemap" }, "/sitemap.xml");
    pages["/gnus"] = { status: 503, body: "" };
    expect(await refresh()).toMatchObject({ status: "completed" });
    expect(await found()).toEqual([["/gnus", "completed", 1]]);
  });

  test("by links reads the links of pages that have not changed from what is kept", async () => {
    pages = { "/": html("Start", ["/gnus"], '"1"'), "/gnus": html("Gnus", [], '"1"') };
    await addSite({ from: "links" }, "/");
    await refresh();
    expect(askedFor()).toEqual(["/ 304", "/gnus 304", "/robots.txt 404"]);
    expect(await found()).toEqual([
      ["/", "completed", 1],
      ["/gnus", "completed", 1],
    ]);
  });

  test("of a single page that has not changed reads what is kept", async () => {
    pages = { "/gnus": html("Gnus", [], '"1"') };
    const upload = {
      ...address,
      owner: null,
      name: "page",
      description: "",
      type: "url",
      size: 0,
      metadata: null,
      input: { kind: "url" as const, url: `${origin}/gnus` },
      options: {},
    };
    await putContent(stores.db, undefined, newContent(upload, epochSeconds(clock)));
    messages.push(address);
    await settled();
    const { live } = await seen();
    expect(await refresh()).toMatchObject({ status: "completed", live });
    expect(askedFor()).toEqual(["/gnus 304"]);
  });
});

test("a worker that dies at any write of a visit leaves what an undisturbed one leaves", async () => {
  pages = { "/": html("Start", ["/gnus", "/kudus"]), "/gnus": html("Gnus"), "/kudus": html("Kudus") };
  for (const atWrite of [1, 2, 3, 4, 5, 6]) {
    await stores.stop();
    stores = await startStores();
    const site: SiteInput = { kind: "site", url: `${origin}/`, from: "links", depth: 1, max_pages: 100 };
    const upload = {
      ...address,
      owner: null,
      name: "site",
      description: "",
      type: "url",
      size: 0,
      metadata: null,
      input: site,
      options: {},
    };
    await putContent(stores.db, undefined, newContent(upload, epochSeconds(clock)));
    const dying = breakingDb(stores.db, atWrite, "after", /Transact|Update|Put/);
    await processContent(deps(dying.db), address, NEVER).catch(() => undefined);
    clock.advance(130_000);
    messages.push(address);
    await settled();
    expect(await seen(), `write ${atWrite}`).toMatchObject({ status: "completed" });
    expect((await found()).map(([name]) => name)).toEqual(["/", "/gnus", "/kudus"]);
  }
});

test("the pages of a site go with it", async () => {
  pages = { "/": html("Start", ["/gnus"]), "/gnus": html("Gnus") };
  await addSite({ from: "links" }, "/");
  await changeContent(stores.db, await seen(), (content) => planRemoval(content, epochSeconds(clock)));
  messages.push(address);
  await settled();
  expect(await auditChunks(stores.db)).toEqual({ contents: [], missing: [], orphans: [] });
});
