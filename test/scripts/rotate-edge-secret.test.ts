import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
const script = join(import.meta.dirname, "../../scripts/rotate-edge-secret.ts");
const old = "o".repeat(48);

/** Stands in for the AWS command line: a secret and a distribution in files, and a line for each call. */
const aws = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const folder = process.env.STATE;
const at = (name) => join(folder, name);
const state = (name) => JSON.parse(readFileSync(at(name), "utf8"));
const [service, operation] = process.argv.slice(2);
const input = () => JSON.parse(readFileSync(0, "utf8"));
appendFileSync(at("calls"), process.argv.slice(2).join(" ") + "\\n");
const record = () => appendFileSync(at("steps"), JSON.stringify([state("secret"), state("distribution")]) + "\\n");
const answers = {
  "describe-stacks": () => ({ Stacks: [{ Outputs: [
    { OutputKey: "EdgeSecretArn", OutputValue: "arn:secret" },
    { OutputKey: "DistributionId", OutputValue: "E1" },
  ] }] }),
  "get-secret-value": () => ({ SecretString: JSON.stringify(state("secret")) }),
  "put-secret-value": () => { writeFileSync(at("secret"), input().SecretString); record(); return {}; },
  "get-distribution-config": () => ({ ETag: "v1", DistributionConfig: state("distribution") }),
  "update-distribution": () => {
    const { IfMatch, Id, DistributionConfig } = input();
    if (process.env.BREAK) process.exit(1);
    if (IfMatch !== "v1" || Id !== "E1") process.exit(2);
    writeFileSync(at("distribution"), JSON.stringify(DistributionConfig)); record(); return {};
  },
  wait: () => ({}),
};
console.log(JSON.stringify(answers[operation]()));
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rotate-"));
  writeFileSync(join(folder, "aws"), aws);
  chmodSync(join(folder, "aws"), 0o755);
  writeFileSync(join(folder, "secret"), JSON.stringify({ current: old }));
  const header = (HeaderValue: string) => ({
    Quantity: 1,
    Items: [{ HeaderName: "x-origin-secret", HeaderValue }],
  });
  const Items = [
    { Id: "api", CustomHeaders: header(old) },
    { Id: "runs", CustomHeaders: header(old) },
    { Id: "other", CustomHeaders: { Quantity: 0 } },
  ];
  writeFileSync(
    join(folder, "distribution"),
    JSON.stringify({ Comment: "kept", Origins: { Quantity: 3, Items } }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rotate = (env: Record<string, string> = {}) =>
  run(process.execPath, [script, "--stack", "agent-platform-prod"], {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, STATE: folder, ...env },
  });
const held = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const sentValues = (distribution: { Origins: { Items: { CustomHeaders: { Items?: object[] } }[] } }) =>
  distribution.Origins.Items.map(({ CustomHeaders }) =>
    (CustomHeaders.Items ?? []).map((item) => ("HeaderValue" in item ? item.HeaderValue : undefined)),
  );

test("at every moment the origins accept what CloudFront sends, and in the end only the new value", async () => {
  const { stdout } = await rotate();
  const steps = readFileSync(join(folder, "steps"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(steps).toHaveLength(3);
  for (const [{ current, previous }, distribution] of steps)
    for (const value of sentValues(distribution).flat()) expect([current, previous]).toContain(value);
  const { current, previous } = held("secret");
  expect(previous).toBeUndefined();
  expect(current).toMatch(/^[A-Za-z0-9]{48}$/);
  expect(current).not.toBe(old);
  expect(sentValues(held("distribution"))).toEqual([[current], [current], []]);
  expect(held("distribution").Comment).toBe("kept");
  // Neither on the screen nor in the arguments, which everybody on the machine can list.
  for (const text of [stdout, readFileSync(join(folder, "calls"), "utf8")]) {
    expect(text).not.toContain(current);
    expect(text).not.toContain(old);
  }
});

test("a rotation that was interrupted is finished by the next start, with the value it began with", async () => {
  await expect(rotate({ BREAK: "yes" })).rejects.toThrow();
  const { current, previous } = held("secret");
  expect(previous).toBe(old);
  expect(existsSync(join(folder, "distribution"))).toBe(true);
  await rotate();
  expect(held("secret")).toEqual({ current });
  expect(sentValues(held("distribution"))).toEqual([[current], [current], []]);
});
