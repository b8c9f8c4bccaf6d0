import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { fixtureCloud } from "./fixture-cloud.ts";

const echo = `export const handler = async (event) => ({ statusCode: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(event) });`;

let cloud: Cloud;
beforeAll(async () => {
  cloud = await fixtureCloud({
    functions: {
      echo: { code: echo },
      gate: {
        code: `export const handler = async (event) => {
          if (event.headers.authorization === "crash") throw new Error("no decision");
          return { isAuthorized: event.headers.authorization !== "stranger", context: { seen: Object.keys(event).sort().join(), type: event.type, arn: event.routeArn } };
        };`,
      },
      odd: {
        code: `export const handler = async (event) => {
          const kind = event.rawPath.split("/")[2];
          if (kind === "throw") throw new Error("boom");
          if (kind === "crash") process.exit(1);
          if (kind === "hang") await new Promise(() => setInterval(() => {}, 1000));
          if (kind === "plain") return { hello: "there" };
          if (kind === "malformed") return { statusCode: "yes" };
          if (kind === "large-in-bytes") return { statusCode: 200, body: "ü".repeat(4_000_000) };
          if (kind === "large") return { statusCode: 200, body: "x".repeat(7_000_000) };
          if (kind === "cookies") return { statusCode: 201, cookies: ["a=1; Secure", "b=2"], headers: { "X-Thing": 7 }, body: Buffer.from("bytes").toString("base64"), isBase64Encoded: true };
          return { statusCode: 200, body: String(process.env.NAME) };
        };`,
        timeoutSeconds: 1,
        environment: { NAME: "odd one" },
      },
    },
    routes: {
      "GET /things/{id}": "echo",
      "GET /things/special": "echo",
      "ANY /things/{id}": "echo",
      "POST /things/{id}": "echo",
      "GET /files/{path+}": "echo",
      "GET /odd/{kind}": "odd",
      $default: "echo",
    },
    authorizer: "gate",
  });
});
afterAll(() => cloud.stop());

type Seen = {
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string>;
  cookies?: string[];
  queryStringParameters?: Record<string, string>;
  pathParameters?: Record<string, string>;
  body?: string;
  isBase64Encoded: boolean;
  requestContext: {
    authorizer: { lambda: Record<string, string> };
    http: { method: string; path: string; sourceIp: string };
    timeEpoch: number;
    stage: string;
  };
};
async function seen(path: string, init?: RequestInit): Promise<Seen> {
  const response = await fetch(cloud.url + path, init);
  const body: Seen = JSON.parse(await response.text());
  return body;
}

describe("routes", () => {
  test.each([
    ["GET", "/things/42", "GET /things/{id}", { id: "42" }],
    ["GET", "/things/special", "GET /things/special", undefined],
    ["DELETE", "/things/42", "ANY /things/{id}", { id: "42" }],
    ["DELETE", "/things/special", "ANY /things/{id}", { id: "special" }],
    ["GET", "/files/a/b%20c/d", "GET /files/{path+}", { path: "a/b c/d" }],
    ["GET", "/things/42/", "$default", undefined],
    ["GET", "/files", "$default", undefined],
    ["GET", "/", "$default", undefined],
    ["GET", "/things/a%2Fb", "GET /things/{id}", { id: "a/b" }],
  ])("%s %s goes to %s", async (method, path, routeKey, pathParameters) => {
    const event = await seen(path, { method });
    expect(event).toMatchObject({ routeKey, requestContext: { routeKey } });
    expect(event.pathParameters).toEqual(pathParameters);
  });

  test.each([
    ["/things/a%20b", "/things/a b"],
    ["/things/a%2Fb", "/things/a/b"],
    ["/things/50%25", "/things/50%"],
    ["/things/a%3Fb/c", "/things/a"],
    ["/things/%zz", "/things/%zz"],
    ["/things/a+b", "/things/a+b"],
  ])("%s is sent as %s", async (path, expected) => {
    const event = await seen(path);
    expect(event.rawPath).toBe(expected);
    expect(event.requestContext.http.path).toBe(expected);
  });
});

describe("the event", () => {
  test("has lower-case headers, cookies of their own and joined query values", async () => {
    const event = await seen("/things/1?a=1&a=2&b=x%20y", {
      headers: { "X-Some": "Thing", cookie: "k=v; l=w" },
    });
    expect(event.rawQueryString).toBe("a=1&a=2&b=x%20y");
    expect(event.queryStringParameters).toEqual({ a: "1,2", b: "x y" });
    expect(event.headers["x-some"]).toBe("Thing");
    expect(event.headers.cookie).toBeUndefined();
    expect(event.cookies).toEqual(["k=v", "l=w"]);
    expect(event.requestContext.http).toMatchObject({
      method: "GET",
      path: "/things/1",
      sourceIp: "127.0.0.1",
    });
    expect(event.requestContext.stage).toBe("$default");
    expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(5000);
  });

  test("leaves out what the request does not have", async () => {
    const event = await seen("/things/1");
    expect(event).not.toHaveProperty("body");
    expect(event).not.toHaveProperty("queryStringParameters");
    expect(event).not.toHaveProperty("cookies");
    expect(event.isBase64Encoded).toBe(false);
  });

  test("carries JSON as text", async () => {
    const event = await seen("/things/1", {
      method: "POST",
      body: '{"a":"ü"}',
      headers: { "content-type": "application/json" },
    });
    expect(event).toMatchObject({ body: '{"a":"ü"}', isBase64Encoded: false });
  });

  test.each([
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
  ])("carries %s in base64", async (type) => {
    const event = await seen("/things/1", { method: "POST", body: "a=1", headers: { "content-type": type } });
    expect(event).toMatchObject({ body: "YT0x", isBase64Encoded: true });
  });

  test("carries what the authorizer decided, which sees all but the body", async () => {
    const event = await seen("/things/1?q=1", {
      method: "POST",
      body: "secret",
      headers: { "content-type": "text/plain" },
    });
    const decided = event.requestContext.authorizer.lambda;
    expect(decided.type).toBe("REQUEST");
    expect(decided.arn).toMatch(/\/\$default\/POST\/things\/\{id\}$/);
    expect(decided.seen?.split(",")).toEqual(
      expect.arrayContaining(["headers", "pathParameters", "requestContext"]),
    );
    expect(decided.seen?.split(",")).not.toContain("body");
  });
});

describe("what the gateway answers itself", () => {
  test.each([
    ["/things/1", "stranger", 403, "Forbidden"],
    ["/things/1", "crash", 500, "Internal Server Error"],
    ["/odd/throw", "", 500, "Internal Server Error"],
    ["/odd/malformed", "", 500, "Internal Server Error"],
    ["/odd/large", "", 500, "Internal Server Error"],
    ["/odd/large-in-bytes", "", 500, "Internal Server Error"],
    ["/odd/crash", "", 500, "Internal Server Error"],
    ["/odd/hang", "", 500, "Internal Server Error"],
  ])("%s as %s: %i %s", async (path, authorization, status, message) => {
    const response = await fetch(cloud.url + path, { headers: { authorization } });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message });
  });

  test("a body over 10 MB is 413", async () => {
    const response = await fetch(`${cloud.url}/things/1`, {
      method: "POST",
      body: Buffer.alloc(11 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
  });

  test("after a crash or a timeout the next request is served by a new instance", async () => {
    await fetch(`${cloud.url}/odd/hang`);
    const response = await fetch(`${cloud.url}/odd/fine`);
    expect(await response.text()).toBe("odd one");
  });
});

describe("the answer", () => {
  test("may be a bare value, which is JSON then", async () => {
    const response = await fetch(`${cloud.url}/odd/plain`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ hello: "there" });
  });

  test("may set a status, headers, cookies and bytes", async () => {
    const response = await fetch(`${cloud.url}/odd/cookies`);
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(["a=1; Secure", "b=2"]);
    expect(response.headers.get("x-thing")).toBe("7");
    expect(await response.text()).toBe("bytes");
  });
});
