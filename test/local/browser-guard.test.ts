import { describe, expect, test } from "vitest";
import { browserGuard } from "../../local/http/browser-guard.ts";

const judge = browserGuard({ publicUrl: "https://agents.example" });
const from = (headers: Record<string, string>, method = "GET", rawPath = "/agents") =>
  judge({
    ...{ method, rawPath, rawQuery: "", body: Buffer.alloc(0) },
    rawHeaders: Object.entries({ host: "127.0.0.1:7777", ...headers }).flat(),
  } as never);
const refused = { refused: expect.any(String) };
const form = { "content-type": "application/x-www-form-urlencoded" };

describe("the local front", () => {
  test.each(["localhost:7777", "127.0.0.1:7777", "[::1]:7777", "a.localhost", "agents.example", "LOCALHOST"])(
    "serves the name %s",
    (host) => expect(from({ host })).toBe("own"),
  );

  test.each([
    "evil.example:7777",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "127.0.0.1@evil.example",
    "",
  ])("refuses the name %s, which may have been rebound", (host) => expect(from({ host })).toEqual(refused));

  test.each([
    [
      "a form of another site",
      { origin: "https://evil.example", "sec-fetch-site": "cross-site", ...form },
      "POST",
    ],
    ["a form of a sandboxed page", { origin: "null", ...form }, "POST"],
    ["text of another site", { origin: "https://evil.example", "content-type": "text/plain" }, "POST"],
    ["a body without a type", { origin: "https://evil.example" }, "POST"],
    [
      "a picture in a page of another site",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      "GET",
    ],
    ["a page of another port", { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" }, "GET"],
    [
      "a frame",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
      "GET",
    ],
  ])("refuses %s", (_, headers, method) => expect(from(headers, method)).toEqual(refused));

  test.each([
    ["a program", {}, "POST"],
    ["its own page", { origin: "http://127.0.0.1:7777", "sec-fetch-site": "same-origin" }, "POST"],
    ["a page of its public address", { origin: "https://agents.example" }, "POST"],
    ["a page of this machine that may call by default", { origin: "http://localhost:3000" }, "POST"],
    ["an address that was typed", { "sec-fetch-site": "none" }, "GET"],
    [
      "a link",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      "GET",
    ],
  ])("serves %s", (_, headers, method) => expect(from(headers, method)).toBe("own"));

  test.each([
    ["the hosted page that may call by default", { origin: "https://os.agno.com" }, "GET"],
    ["what a browser has asked about", { origin: "https://evil.example", authorization: "Bearer x" }, "POST"],
    [
      "JSON, which a browser asks about",
      { origin: "https://evil.example", "content-type": "application/json" },
      "POST",
    ],
  ])("serves %s, but not as a guest", (_, headers, method) => expect(from(headers, method)).toBe("listed"));

  test("serves a link for feedback to pages of any site, and to its own form, which names no origin", () => {
    const asForm = (origin: string, method = "POST") => from({ origin, ...form }, method, "/f/token");
    expect([asForm("https://shop.example"), asForm("null")]).toEqual(["listed", "listed"]);
    expect(asForm("https://shop.example", "GET")).toEqual(refused);
  });

  test("takes a page that the settings name for its own", () => {
    const named = browserGuard({ corsAllowedOrigins: "https://ui.example, https://other.example" });
    const rawHeaders = ["host", "localhost", "origin", "https://other.example"];
    expect(named({ method: "POST", rawHeaders } as never)).toBe("own");
  });
});
