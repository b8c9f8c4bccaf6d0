import { afterAll } from "vitest";

// Loaded before each test file: what a file sets in the environment is gone before the next file of its process.
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
