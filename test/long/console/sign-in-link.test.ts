import { expect } from "vitest";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

/** The code of a new link. */
function newCode(): string {
  const link = new URL(platform.consoleLink?.() ?? "");
  expect([link.origin, link.pathname]).toEqual([platform.url, "/console"]);
  return link.hash.replace("#link=", "");
}

const signIn = (
  code: unknown,
  headers: Record<string, string> = { origin: platform.url },
  url = platform.url,
) => fetch(`${url}/console/sign-in`, { method: "POST", headers, body: JSON.stringify({ code }) });

test("the code of a link is worth an admin's token, once", async () => {
  const code = newCode();
  expect(Buffer.from(code, "base64url")).toHaveLength(32);
  const got = await signIn(code, { origin: platform.url, "sec-fetch-site": "same-origin" });
  expect([got.status, got.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const { token } = (await got.json()) as { token: string };
  const asked = await fetch(`${platform.url}/queue/stats`, { headers: { authorization: `Bearer ${token}` } });
  expect(asked.status).toBe(200);
  const again = await signIn(code);
  expect([again.status, await again.text()]).toEqual([403, expect.not.stringContaining('token":')]);
});

test("of two at once with one code, one is signed in", async () => {
  const code = newCode();
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)]);
});

test("a wrong code is refused and spends nothing, and the one before the last link is void", async () => {
  const old = newCode();
  const code = newCode();
  expect(code).not.toBe(old);
  for (const wrong of [old, "", "x", `${code}x`]) expect((await signIn(wrong)).status, wrong).toBe(403);
  for (const none of [undefined, 7, [code]]) expect((await signIn(none)).status).toBe(400);
  expect((await signIn(code)).status).toBe(200);
});

test.each<[string, (own: string) => Record<string, string>]>([
  ["another site's", () => ({ origin: "https://evil.example" })],
  ["one at another port", () => ({ origin: "http://127.0.0.1:1" })],
  ["one that names no origin", () => ({})],
  ["a sandboxed one", () => ({ origin: "null" })],
  ["one of which the browser says otherwise", (own) => ({ origin: own, "sec-fetch-site": "cross-site" })],
  ["another name of this machine", (own) => ({ origin: own.replace("127.0.0.1", "localhost") })],
])("no other page can use a link: %s", async (_, headersOf) => {
  const code = newCode();
  expect((await signIn(code, headersOf(platform.url))).status).toBe(403);
  expect((await signIn(code)).status).toBe(200);
});

test("it works at the address of the HTTP API too", async () => {
  const { apiUrl } = platform;
  expect((await signIn(newCode(), { origin: apiUrl }, apiUrl)).status).toBe(200);
});

test("what is deployed has no such thing", async () => {
  const { origins } = platform;
  const got = await signIn(newCode(), { origin: origins.api ?? "" }, origins.api);
  expect(got.status).toBe(405);
});
