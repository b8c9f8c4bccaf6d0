import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ENGINE_VERSION,
  enginePackageOf,
  fetchedEngine,
  installedEngine,
} from "../../../local/dynamodb/engine-package.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

const folder = temporaryFolder();
const machine = "darwin-arm64";
const name = enginePackageOf(machine);
const before = { ...process.env };
let served = "";
let digest = "";
let stop = async (): Promise<void> => {};

/** The package of this machine, under the name of another one: packed by npm, and served as a registry serves it. */
beforeAll(async () => {
  const source = join(folder, "package");
  mkdirSync(source);
  cpSync(dirname(installedEngine() ?? ""), source, { recursive: true });
  writeFileSync(join(source, "package.json"), JSON.stringify({ name, version: ENGINE_VERSION }));
  execFileSync("npm", ["pack", "--pack-destination", folder, "--loglevel", "error"], { cwd: source });
  const tarball = readFileSync(join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? ""));
  digest = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const registry = createServer(({ url = "" }, answer) => {
    served += `${url}\n`;
    if (url.endsWith(".tgz")) return void answer.end(tarball);
    const dist = { tarball: `http://${registryHost}/engine.tgz`, integrity: digest };
    const version = { name, version: ENGINE_VERSION, dist };
    answer.setHeader("content-type", "application/json");
    answer.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: ENGINE_VERSION },
        versions: { [ENGINE_VERSION]: version },
      }),
    );
  });
  const { address, stop: close } = await serveOnLoopback(registry);
  const registryHost = new URL(address).host;
  stop = close;
  process.env.npm_config_registry = address;
  process.env.npm_config_cache = join(folder, "npm");
  process.env.npm_config_fetch_retries = "0";
});

afterAll(async () => {
  process.env = before;
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const fetching = (cache: string, more: { readonly digest?: string; readonly machine?: string } = {}) => {
  const steps: string[] = [];
  const fetched = fetchedEngine({
    machine,
    cache: join(folder, cache),
    progress: (step) => steps.push(step),
    ...more,
  });
  return { fetched, steps };
};

describe("the program of the local database, where no package has it", () => {
  test("is fetched once by the user's npm, for the machine, and starts", async () => {
    const { fetched, steps } = fetching("cache");
    const program = await fetched;
    expect(execFileSync(program, ["--version"], { encoding: "utf8" })).toContain(ENGINE_VERSION);
    expect(steps).toEqual([expect.stringContaining(`for ${machine}`)]);
    served = "";
    const again = fetching("cache");
    expect(await again.fetched).toBe(program);
    expect([served, again.steps]).toEqual(["", []]);
  });

  test("is fetched once by two platforms that start at once", async () => {
    const [one, other] = await Promise.all([fetching("both").fetched, fetching("both").fetched]);
    expect(one).toBe(other);
    expect(execFileSync(one, ["--version"], { encoding: "utf8" })).toContain(ENGINE_VERSION);
  });

  test("is refused where it is not the one that is known", async () => {
    const { fetched } = fetching("other", { digest: `sha512-${Buffer.alloc(64).toString("base64")}` });
    await expect(fetched).rejects.toThrow(/could not be fetched: .*(integrity|sha512)/);
    expect(readdirSync(join(folder, "other"))).toEqual([]);
  });

  test("is missed by a sentence that says what else can be done", async () => {
    await expect(fetching("none", { machine: "sunos-x64" }).fetched).rejects.toThrow(
      "There is no local database for sunos-x64. Else install Java 17",
    );
    await stop();
    process.env.npm_config_cache = join(folder, "empty");
    await expect(fetching("offline").fetched).rejects.toThrow(
      `Install it into the project: npm install --save-optional ${name}@${ENGINE_VERSION}.`,
    );
  });
});
