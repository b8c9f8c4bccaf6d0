import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // Only `npm run grants` asks which function a call is for.
    setupFiles: process.env.GRANTS_RECORD ? ["scripts/grants/in-process-witness.ts"] : [],
    // Many tests wait for a worker, a lock or a timer; three share two processors well.
    maxWorkers: 3,
    // Limits for what hangs; a busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
