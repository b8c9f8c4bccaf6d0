import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { functionLogReader } from "../../bench/cost/function-log-reader.ts";

test("a line of the functions' log is counted once, when all of it is there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  const file = join(folder, "functions.log");
  const line = 'Runs {"_aws":{"CloudWatchMetrics":[{"Dimensions":[[]],"Metrics":[{"Name":"Runs"}]}]}}\n';
  try {
    appendFileSync(file, `Worker short\n${line.slice(0, 40)}`);
    const read = functionLogReader(file);
    const worker = { bytes: 5, count: 1, ownMetrics: [] };
    expect(await read()).toEqual(new Map([["Worker", worker]]));
    appendFileSync(file, line.slice(40));
    const runs = { bytes: line.length - "Runs \n".length, count: 1, ownMetrics: ["Runs"] };
    expect(await read()).toEqual(new Map([["Runs", runs]]));
    expect(await read()).toEqual(new Map());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
