import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
let page: Response;
let html: string;
beforeAll(async () => {
  platform = await startPlatform({ env: { OS_ID: `desk <script>alert("1")</script>` } });
  page = await fetch(`${platform.url}/docs`);
  html = await page.text();
});
afterAll(() => platform.stop());

const policy = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    (page.headers.get("content-security-policy") ?? "").split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(" ");
      return [name, sources];
    }),
  );
const inline = (tag: string): string[] =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"))].map(([, text = ""]) => text);
const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the page of the interface", () => {
  test("is shown in no frame, and taken for nothing but a page", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(policy().get("frame-ancestors")).toEqual(["'none'"]);
  });

  test("may execute its own script and apply its own style, and no other", () => {
    expect(policy().get("default-src")).toEqual(["'none'"]);
    expect(policy().get("script-src")).toEqual(inline("script").map(sourceOf));
    expect(policy().get("style-src")).toEqual(inline("style").map(sourceOf));
    expect(inline("script")).toHaveLength(1);
  });

  test("needs nothing that its policy forbids", () => {
    // Attributes that are scripts or styles, and whatever is fetched from elsewhere.
    expect(html).not.toMatch(/<[^>]+\s(on\w+|style)\s*=/i);
    expect(html).not.toMatch(/<(link|img|iframe|object|embed|base|form)\b/i);
    expect(html).not.toMatch(/@import|url\(|\beval\(|new Function|setAttribute\("style|\.style\b/);
    const fetched = [...html.matchAll(/fetch\(([^,)]+)/g)].map(([, address]) => address);
    expect(fetched).toEqual(["address", `base + "/openapi.json"`]);
    expect(policy().get("connect-src")).toEqual(["'self'"]);
  });
});
