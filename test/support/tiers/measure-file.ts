import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { FILE_TIMES } from "./file-times.ts";
import { processorSeconds } from "./processor-time.ts";

// Loaded before each test file. Its modules are loaded before the first hook, so their processor time does not count.
let before = 0;
beforeAll(() => {
  before = processorSeconds();
});
afterAll(() => {
  const file = process.env[FILE_TIMES];
  const { testPath } = expect.getState();
  if (file === undefined || testPath === undefined) return;
  appendFileSync(file, `${JSON.stringify({ path: testPath, seconds: processorSeconds() - before })}\n`);
});
