import { spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startCloud } from "../../../local/cloud.ts";
import { startDynamo } from "../../../local/dynamodb/dynamo-engine.ts";
import { openIdentity } from "../../../local/identity.ts";
import { lockDataFolder } from "../../../local/machine/data-lock.ts";
import { freePort } from "../../../local/machine/free-port.ts";
import { listenOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { temporaryFolder, until } from "../../local/fixture-cloud.ts";
import { callAtOnce } from "../../support/at-once.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { method: "POST", body: "{}" }).then(
    () => true,
    () => false,
  );
}

describe("the database engine", () => {
  test("stops on request", async () => {
    const engine = await startDynamo();
    expect(await answers(engine.endpoint)).toBe(true);
    await engine.stop();
    expect(await answers(engine.endpoint)).toBe(false);
  });

  test("is not taken for another server that took its port", async () => {
    const other = createHttpServer((_, response) => void response.end("{}"));
    const taken = await listenOnLoopback(other);
    const ports = [taken];
    const engine = await startDynamo({ choosePort: async () => ports.shift() ?? freePort() });
    expect(engine.endpoint).not.toBe(`http://127.0.0.1:${taken}`);
    expect(await answers(engine.endpoint)).toBe(true);
    await engine.stop();
    other.close();
  });

  test("does not outlive a parent that is killed", async () => {
    const module = JSON.stringify(new URL("../../../local/dynamodb/dynamo-engine.ts", import.meta.url).href);
    const script = `const { startDynamo } = await import(${module}); console.log((await startDynamo()).endpoint); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const endpoint = await new Promise<string>((resolve) => {
      parent.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
    });
    expect(await answers(endpoint)).toBe(true);
    parent.kill("SIGKILL");
    await until(async () => !(await answers(endpoint)));
  });
});

test("a free port is none that a socket gets which asks for any", async () => {
  const given = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const server = createServer();
      const port = await listenOnLoopback(server);
      server.close();
      return port;
    }),
  );
  const free = await Promise.all(Array.from({ length: 100 }, freePort));
  expect(Math.max(...free)).toBeLessThan(Math.min(...given));
});

describe("what is in the way is said in plain words", () => {
  test("a port that is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const starting = startCloud({ stacks: async () => [], dataDir: join(folder, "taken"), port });
    await expect(starting).rejects.toThrow(`Port ${port} is taken`);
    server.close();
  });

  test("a data folder that another platform uses, until that one is gone", () => {
    const release = lockDataFolder(join(folder, "locked"));
    expect(() => lockDataFolder(join(folder, "locked"))).toThrow(/Another platform uses/);
    release();
    lockDataFolder(join(folder, "locked"))();
  });
});

describe("the local identity provider", () => {
  test("keeps one key per folder, readable by its owner only", () => {
    const first = openIdentity(folder);
    const second = openIdentity(folder);
    expect(second.issuer).toEqual(first.issuer);
    expect(statSync(join(folder, "keys", "signing-key.pem")).mode & 0o777).toBe(0o600);
  });

  const calls = new URL("../../local/identity-calls.ts", import.meta.url);
  const newFolders = (count: number): [string][] =>
    Array.from({ length: count }, (_, i) => [join(folder, `${count} at once`, String(i))]);

  test("has one key for all who open a new folder at once", async () => {
    const folders = newFolders(10);
    const rounds = await callAtOnce(calls, ["open", "open", "open"], folders);
    const expected = folders.map(([path]) => Array(3).fill({ result: openIdentity(path).issuer }));
    expect(rounds).toEqual(expected);
  });

  test("has its whole key in the file from the moment that others can see it", async () => {
    const folders = newFolders(20);
    const rounds = await callAtOnce(calls, ["open", "firstSizeOfKey"], folders);
    const sizes = folders.map(([path]) => statSync(join(path, "keys", "signing-key.pem")).size);
    expect(rounds.map(([, first]) => first)).toEqual(sizes.map((result) => ({ result })));
  });

  test("signs tokens that its published key verifies", () => {
    const { issuer, token } = openIdentity(folder);
    const [head = "", body = "", signature = ""] = token({
      sub: "maria",
      scopes: ["agents:read"],
      hours: 2,
    }).split(".");
    const [jwk] = issuer.jwks.keys;
    const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
    expect(verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))).toBe(
      true,
    );
    const tokenClaims: { sub: string; scopes: string[]; iat: number; exp: number } = JSON.parse(
      Buffer.from(body, "base64url").toString(),
    );
    expect(tokenClaims).toMatchObject({ sub: "maria", scopes: ["agents:read"] });
    expect(tokenClaims.exp - tokenClaims.iat).toBe(7200);
    expect(JSON.stringify(issuer)).not.toContain('"d"');
  });
});
