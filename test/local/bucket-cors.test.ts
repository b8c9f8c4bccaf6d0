import { expect, test } from "vitest";
import { type CorsRule, corsAnswer } from "../../local/s3/bucket-cors.ts";

const rule: CorsRule = { origins: ["https://ui.example"], methods: ["PUT"], headers: ["content-type"] };
const rules = new Map([["files", [rule]]]);
const ask = (method: string, headers: Record<string, string>, url = "/files/uploads/1?X-Amz-Signature=1") =>
  corsAnswer({ method, url, headers, body: new Uint8Array() }, rules);
const preflight = (origin: string, method: string, names = "content-type") =>
  ask("OPTIONS", {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": names,
  });

test("a browser may do what a rule of the bucket allows, and the response says so", () => {
  expect(preflight("https://ui.example", "PUT")).toMatchObject({
    preflight: {
      status: 200,
      headers: {
        "access-control-allow-origin": "https://ui.example",
        "access-control-allow-headers": "content-type",
      },
    },
  });
  expect(ask("PUT", { origin: "https://ui.example" })).toMatchObject({
    headers: { "access-control-allow-origin": "https://ui.example" },
  });
});

test.each([
  ["another origin", "https://other.example", "PUT", "content-type"],
  ["another method", "https://ui.example", "GET", "content-type"],
  ["another header", "https://ui.example", "PUT", "content-type, x-amz-acl"],
])("%s is refused", (_, origin, method, names) => {
  expect(preflight(origin, method, names)).toMatchObject({ preflight: { status: 403 } });
});

test("what no browser sends, and what is for no bucket, is left alone", () => {
  expect(ask("PUT", {})).toBeUndefined();
  expect(ask("PUT", { origin: "https://ui.example" }, "/other/1")).toBeUndefined();
  expect(ask("PUT", { origin: "https://other.example" })).toEqual({ headers: {} });
});
