import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContentFault } from "../../shared/knowledge/content-fault.ts";
import {
  READING_LIMITS,
  RUN_READING_LIMITS,
  secondsFor,
} from "../../shared/knowledge/readers/reading-limits.ts";
import { robotsOf } from "../../shared/knowledge/sites/robots.ts";

/** What one user adds to knowledge must not keep the reader of all users busy. */
let server: Server;
let rules = "";
beforeAll(async () => {
  server = createServer((_, response) => response.end(rules)).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
});
afterAll(() => server.close());

const mayVisit = async () => {
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const robots = await robotsOf(`http://${host}`, [host]);
  return (path: string) => robots(`http://${host}${path}`);
};
const group = (line: (i: number) => string, bytes: number): string => {
  const lines = ["User-agent: *"];
  for (let length = 0; length < bytes; length += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join("\n");
};

test("rules of a host that are made to take long end with a reason, after half a second", async () => {
  rules = group((i) => `Disallow: /${"*a".repeat(30)}${i}`, 60_000);
  const visits = await mayVisit();
  const begun = performance.now();
  expect(() => visits(`/${"a".repeat(20_000)}`)).toThrow(ContentFault);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("the first 64 KB of a host's rules count, and honest ones of that size are quick", async () => {
  rules = `${group((i) => `Disallow: /private/${i}/`, 64_000)}\n${"#".repeat(2_000)}\nDisallow: /late/`;
  const visits = await mayVisit();
  expect([visits("/private/7/x"), visits("/open"), visits("/late/x")]).toEqual([false, true, true]);
});

test("a file has time for its size", () => {
  expect(secondsFor(10_000, READING_LIMITS)).toBe(40);
  expect(secondsFor(4_500_000, READING_LIMITS)).toBe(80);
  expect(secondsFor(250_000_000, READING_LIMITS)).toBe(300);
  expect(secondsFor(50_000_000, RUN_READING_LIMITS)).toBe(60);
});
