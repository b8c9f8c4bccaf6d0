import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../shared/settings/read-env.ts";
import { runs } from "../../shared/settings/rows/runs.ts";
import { variablesOf } from "../../shared/settings/setting.ts";

const names = Object.keys(runs) as (keyof typeof runs)[];
const schema = v.object(variablesOf(runs, ...names));

describe("the limits of runs", () => {
  test("have their defaults when nothing is set", () => {
    expect(readEnv(schema, {})).toMatchObject({
      LOCK_GRACE_SECONDS: 60,
      MAX_ATTEMPTS: 1,
      RETRY_BASE_DELAY_SECONDS: 30,
      EXECUTION_TIMEOUT_SECONDS: 3600,
      MAX_QUEUE_DEPTH: 1000,
      JOB_RETENTION_SECONDS: 86_400,
    });
  });

  test.each([
    ["LOCK_GRACE_SECONDS", "2"],
    ["LOCK_GRACE_SECONDS", "soon"],
    ["MAX_ATTEMPTS", "0"],
    ["MAX_ATTEMPTS", "1.5"],
    ["MAX_QUEUE_DEPTH", "-1"],
    ["EXECUTION_TIMEOUT_SECONDS", "0"],
    ["WORKER_BATCH_SIZE", "11"],
  ])("refuse %s=%s and name the variable", (name, value) => {
    expect(() => readEnv(schema, { [name]: value })).toThrow(name);
  });
});
