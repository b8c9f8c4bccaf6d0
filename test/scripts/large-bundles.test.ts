import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeLargeBundles, largeBundles, MOST_BYTES } from "../../build/bundles/large-bundles.ts";

const own = join(import.meta.dirname, "../..");

describe("large bundles", () => {
  let dist: string;
  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), "agent-platform-large-"));
    mkdirSync(join(dist, "worker"));
    const inputs = {
      "../shop/node_modules/pdf-kit/index.js": { bytesInOutput: 4_000_000 },
      "../shop/node_modules/pdf-kit/node_modules/@fonts/all/a.js": { bytesInOutput: 2_500_000 },
      "../shop/agents/a.ts": { bytesInOutput: 200_000 },
      "shared/errors.ts": { bytesInOutput: 100 },
    };
    const outputs = {
      "x/index.mjs": { bytes: 6_700_100, inputs },
      "x/index.mjs.map": { bytes: 9, inputs: {} },
    };
    const record = (atStart: number, lazy: number) => JSON.stringify({ size: { atStart, lazy } });
    writeFileSync(join(dist, "worker.built.json"), record(6_000_000, 700_100));
    writeFileSync(join(dist, "worker.meta.json"), JSON.stringify({ inputs: {}, outputs }));
    writeFileSync(join(dist, "runs.built.json"), record(600_000, 2_000_000));
    // Taken over as it was: nothing shows what it was made from.
    writeFileSync(join(dist, "knowledge-worker.built.json"), record(9_000_000, 0));
  });
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  const project = () => ({ root: own, registry: "", home: own, dist });

  test("are reported with what makes them large, innermost packages first", () => {
    const { lines, isTooLarge } = describeLargeBundles(largeBundles(project()));
    expect(lines).toEqual([
      "the code of worker has 6.7 MB (a cold start reads it): pdf-kit 4.0 MB, @fonts/all 2.5 MB, your own code 0.2 MB",
    ]);
    expect(isTooLarge).toBe(false);
  });

  test("are refused only where Lambda would refuse them", () => {
    const bundle = { name: "worker", bytes: MOST_BYTES + 1, parts: [] };
    expect(describeLargeBundles([bundle])).toMatchObject({ isTooLarge: true });
    expect(describeLargeBundles([{ ...bundle, bytes: MOST_BYTES }])).toMatchObject({ isTooLarge: false });
  });
});
