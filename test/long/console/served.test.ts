import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { hasBrowser, openPage, startBrowser } from "../../support/browser.ts";
import { type IdentityProvider, startIdentityProvider } from "../../support/identity-provider.ts";
import { type RunningPlatform, startPlatform, type TestPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";
import { testProject } from "../../support/test-registry.ts";

/** The page as the build left it. */
const site = join(testProject.dist, "console/site");
const names = readdirSync(join(site, "files"));
const script = names.find((name) => /^main-\w+\.js$/.test(name)) ?? "";
const style = names.find((name) => /^main-\w+\.css$/.test(name)) ?? "";
const html = readFileSync(join(site, "index.html"), "utf8");

/** The bucket of this machine has an address of its own. */
const BUCKET_TOO = /^connect-src 'self' http:\/\/127\.0\.0\.1:\d+$/;

/** A page takes seconds on a machine that does much else. */
const PATIENCE = { timeout: 180_000 };

type Got = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

/** Unlike `fetch` it asks for nothing of its own, and takes nothing apart. */
function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("the page for operators", () => {
  let platform: RunningPlatform;
  test.beforeAll(({ platform: shared }) => {
    platform = shared;
  });
  const front = () => platform.url;
  const fronts: readonly [name: string, url: () => string][] = [
    ["the distribution", front],
    ["the HTTP API", () => platform.apiUrl],
    ["the HTTP API behind the distribution", () => platform.origins.api ?? ""],
  ];

  test.each(fronts)("is served without a credential by %s, and asked about each time", async (_, url) => {
    const got = await ask(`${url()}/console`);
    expect(got.status).toBe(200);
    expect(got.body.toString()).toBe(html);
    expect(got.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      vary: "accept-encoding",
    });
  });

  test.each(fronts)("is at every path that it may have itself, by %s", async (_, url) => {
    for (const path of ["/console/runs/run-1", "/console/agents/a.b/versions/2?tab=1", "/console/sign-in"]) {
      const got = await ask(`${url()}${path}`);
      expect([got.status, got.body.toString()], path).toEqual([200, html]);
    }
  });

  test("is found by whoever ends its address with a slash", async () => {
    const got = await ask(`${front()}/console/`);
    expect([got.status, got.headers.location]).toEqual([308, "/console"]);
  });

  test("names its script and its style, and nothing that is not there", () => {
    const named = [...html.matchAll(/(?:src|href)="\/console\/files\/([^"]+)"/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining([script, style]));
    expect(names).toEqual(expect.arrayContaining(named));
    expect(html).not.toMatch(/<script(?! type="module" src=)|<style|style=/);
  });

  test("comes once: its holder is informed", async () => {
    const first = await ask(`${front()}/console`);
    const etag = String(first.headers.etag);
    const again = await ask(`${front()}/console/runs`, { "if-none-match": `"other", ${etag}` });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect((await ask(`${front()}/console`, { "if-none-match": '"other"' })).status).toBe(200);
  });

  test.each([
    [script, "text/javascript; charset=utf-8"],
    [style, "text/css; charset=utf-8"],
  ])("has the file %s for good, compressed for whoever takes that", async (name, contentType) => {
    const contents = readFileSync(join(site, "files", name));
    const url = `${front()}/console/files/${name}`;
    const plain = await ask(url);
    expect(plain.status).toBe(200);
    expect(plain.body.equals(contents)).toBe(true);
    expect(plain.headers).toMatchObject({
      "content-type": contentType,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const small = await ask(url, { "accept-encoding": "gzip, deflate, br" });
    expect(small.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(brotliDecompressSync(small.body).equals(contents)).toBe(true);
    const refused = await ask(url, { "accept-encoding": "gzip, br;q=0" });
    expect(refused.headers["content-encoding"]).toBeUndefined();
  });

  test.each([
    "/console/files/main-00000000.js",
    "/console/files/",
    "/console/files/..%2findex.html",
    "/console/files/%2e%2e/%2e%2e/index.mjs",
    `/console/files/${script}.br`,
  ])("has no file %s", async (path) => {
    // Not with `URL`, which takes steps back in a path itself.
    const { hostname, port } = new URL(front());
    const got = await new Promise<number>((resolve, reject) => {
      request({ hostname, port, path }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });
    expect([401, 404]).toContain(got);
  });

  test("says of a missing file only that it is missing", async () => {
    const got = await ask(`${front()}/console/files/main-00000000.js`);
    expect([got.status, got.headers["content-type"], got.body.toString()]).toEqual([
      404,
      "text/plain; charset=utf-8",
      "There is no such file.\n",
    ]);
  });

  test("answers HEAD without a body, and refuses every other method", async () => {
    const head = await ask(`${front()}/console`, {}, "HEAD");
    expect([head.status, head.body.length, head.headers["cache-control"]]).toEqual([200, 0, "no-cache"]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      expect((await ask(`${front()}/console/runs`, {}, method)).status, method).toBe(403);
      const got = await ask(`${platform.apiUrl}/console/runs`, {}, method);
      expect([got.status, got.headers.allow], method).toEqual([405, "GET, HEAD"]);
    }
  });

  test.each([
    "/console",
    "/console/connect",
    "/console/settings.json",
    `/console/files/${script}`,
    "/console/files/none.js",
  ])("%s lets the browser do nothing that it need not", async (path) => {
    const { headers } = await ask(`${front()}${path}`);
    const isPage = path === "/console" || path === "/console/connect";
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      // Single texts that a package puts into the document, by their digests; nothing else inline.
      expect.stringMatching(/^style-src 'self'( 'sha256-[\w+/]{43}=')*$/),
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "font-src 'self'",
      // Large files go to the bucket, which the page alone has to do with.
      isPage ? expect.stringMatching(BUCKET_TOO) : "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(headers["permissions-policy"]).toContain("camera=()");
  });

  test("says how to sign in: here by the link", async () => {
    const got = await ask(`${front()}/console/settings.json`);
    expect(got.headers["cache-control"]).toBe("no-cache");
    expect(JSON.parse(got.body.toString())).toEqual({
      os_id: "agent-platform",
      stage: "local",
      sign_in: null,
      link: true,
    });
  });

  test("is no part of the interface description", async () => {
    const got = await ask(`${front()}/openapi.json`);
    expect(got.body.toString()).not.toContain("/console");
  });
});

describe("an identity provider", () => {
  let provider: IdentityProvider;
  let platform: TestPlatform;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    const { issuer } = provider;
    platform = await startPlatform({
      context: { consoleIssuer: issuer, consoleClientId: "console-1", consoleScope: "openid agents:read" },
      perThread: 16,
      concurrency: 1,
    });
  });
  afterAll(async () => {
    await platform.stop();
    provider.stop();
  });
  const settings = async () =>
    JSON.parse((await ask(`${platform.url}/console/settings.json`)).body.toString());
  const connectable = async (): Promise<string | undefined> => {
    const { headers } = await ask(`${platform.url}/console`);
    return /connect-src [^;]+/.exec(String(headers["content-security-policy"]))?.[0];
  };

  test("that does not answer is no way in, and is asked again; the page is there all the same", async () => {
    expect(await settings()).toMatchObject({
      sign_in: null,
      sign_in_problem: expect.stringMatching(/token/),
    });
    expect(await connectable()).toMatch(BUCKET_TOO);
    expect(provider.asked).toHaveLength(2);
  });

  test("that calls itself something else, or sends users where there is no TLS, is none", async () => {
    provider.document = { ...provider.endpoints, issuer: "https://other.example" };
    expect(await settings()).toMatchObject({ sign_in: null });
    provider.document = { ...provider.endpoints, token_endpoint: "http://tokens.id.example/token" };
    expect(await settings()).toMatchObject({ sign_in: null });
  });

  test("is asked once, and the page may send requests to its token endpoint alone", async () => {
    const end_session_endpoint = "https://id.example/logout";
    const { issuer, endpoints } = provider;
    provider.document = { ...endpoints, end_session_endpoint, jwks_uri: "https://id.example/keys" };
    const before = provider.asked.length;
    expect(await settings()).toEqual({
      os_id: "agent-platform",
      stage: "local",
      link: true,
      sign_in: { ...endpoints, end_session_endpoint, client_id: "console-1", scope: "openid agents:read" },
    });
    const [bucket, tokens, ...others] = (await connectable())?.split(" ").slice(2) ?? [];
    expect([bucket, tokens, others]).toEqual([expect.any(String), new URL(issuer).origin, []]);
    await settings();
    expect(provider.asked.length - before).toBe(1);
  });

  test.skipIf(!hasBrowser)(
    "a reload and another tab stay signed in without a question, until the reader signs out",
    PATIENCE,
    async () => {
      provider.token = platform.token("signed-in", ["agents:read", "agents:run"]);
      provider.asked.length = 0;
      const browser = await startBrowser();
      const { page, faults } = await openPage(browser);
      const runs = () => page.getByRole("heading", { name: "Runs", level: 1 });
      await page.goto(`${platform.url}/console/runs?status=ERROR`);
      await page.getByRole("button", { name: /^Continue with/ }).click();
      await runs().waitFor();
      await page.reload();
      await runs().waitFor();
      expect(new URL(page.url()).search).toBe("?status=ERROR");
      expect(provider.asked).toEqual(["authorize openly", "authorize none"]);

      const opening = page.context().waitForEvent("page");
      await page
        .getByRole("link", { name: "Playground" })
        .first()
        .click({ modifiers: ["Control"] });
      const other = await opening;
      await other.getByRole("heading", { name: "Playground", level: 1 }).waitFor();
      // The first tab let it in: the provider was not asked.
      expect(provider.asked).toHaveLength(2);
      expect(await page.evaluate("JSON.stringify([sessionStorage, localStorage])")).not.toContain(
        provider.token,
      );

      await page.route("https://id.example/**", (route) => route.fulfill({ body: "Signed out" }));
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("https://id.example/**");
      await other.getByRole("heading", { name: "Sign in" }).waitFor();
      await other.reload();
      await other.getByRole("button", { name: /^Continue with/ }).waitFor();
      expect(provider.asked).toHaveLength(2);
      expect(faults).toEqual([]);
      await browser.close();
    },
  );

  test.skipIf(!hasBrowser)(
    "whom the provider has forgotten sees the sign-in, and the page afterwards that was asked for",
    PATIENCE,
    async () => {
      provider.token = platform.token("forgotten", ["agents:read"]);
      provider.asked.length = 0;
      const browser = await startBrowser();
      const { page } = await openPage(browser);
      await page.goto(`${platform.url}/console/runs`);
      await page.getByRole("button", { name: /^Continue with/ }).click();
      await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
      await page.context().clearCookies();
      await page.goto(`${platform.url}/console/access`);
      await page.getByRole("button", { name: /^Continue with/ }).click();
      await page.getByRole("heading", { name: "Access", level: 1 }).waitFor();
      expect(provider.asked).toEqual(["authorize openly", "authorize none", "authorize openly"]);
      await browser.close();
    },
  );
});

test("with console=off there is no page, and no link", async () => {
  const platform = await startPlatform({ env: { CONSOLE: "off" } });
  try {
    const { url } = platform;
    expect((await ask(`${url}/console`)).status).toBe(401);
    expect((await ask(`${url}/console`, { authorization: `Bearer ${platform.adminToken}` })).status).toBe(
      404,
    );
    expect((await ask(`${url}/console/sign-in`, {}, "POST")).status).toBe(401);
    expect(platform.consoleLink).toBeUndefined();
  } finally {
    await platform.stop();
  }
});
