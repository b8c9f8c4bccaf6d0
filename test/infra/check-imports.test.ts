import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkImports, forbiddenImports } from "../../scripts/check-imports.ts";

const importing = (specifier: string) => `import { thing } from "${specifier}";\n`;

describe("the import direction", () => {
  test("holds in the whole project", () => {
    expect(checkImports(join(import.meta.dirname, "../.."))).toEqual([]);
  });

  test.each([
    ["shared/domain/plan.ts", "@aws-sdk/client-dynamodb"],
    ["shared/domain/plan.ts", "../runtime/clock.ts"],
    ["shared/routes/runs.ts", "node:fs"],
    ["shared/schemas/runs/run.ts", "../routes/runs.ts"],
    ["shared/stores/jobs/get-job.ts", "../../http/serve.ts"],
    ["shared/engine/run.ts", "aws-jwt-verify"],
    ["shared/engine/run.ts", "../../functions/runs/index.ts"],
    ["shared/auth/authorize.ts", "@middy/core"],
    ["functions/runs/index.ts", "../worker/execute-job.ts"],
    ["functions/runs/index.ts", "../../local/main.ts"],
    ["functions/runs/index.ts", "@aws-sdk/lib-dynamodb"],
    ["lib/api/http-api.ts", "../shared/stores/jobs/get-job.ts"],
    ["lib/api/http-api.ts", "@aws-sdk/client-sqs"],
    ["registry/agents/a.ts", "../../shared/stores/db.ts"],
    ["shared/http/serve.ts", "../../test/support/records.ts"],
  ])("%s may not import %s", (path, specifier) => {
    expect(forbiddenImports(path, importing(specifier))).toEqual([`${path} may not import ${specifier}`]);
  });

  test.each([
    ["shared/engine/run.ts", "../stores/runs/get-run.ts"],
    ["shared/stores/jobs/get-job.ts", "@aws-sdk/lib-dynamodb"],
    ["functions/runs/index.ts", "../../shared/http/serve.ts"],
    ["functions/runs/index.ts", "./get-agent-run.ts"],
    ["lib/api/http-api.ts", "aws-cdk-lib/aws-lambda"],
    ["registry/agents/a.ts", "../../shared/engine/agent.ts"],
  ])("%s may import %s", (path, specifier) => {
    expect(forbiddenImports(path, importing(specifier))).toEqual([]);
  });

  test.each([
    'import type { A } from "@middy/core";',
    'import "@middy/core";',
    'export * from "@middy/core";',
    'import {\n  a,\n  type B,\n} from "@middy/core";',
    'const { a } = await import("@middy/core");',
  ])("sees %j", (source) => {
    expect(forbiddenImports("shared/domain/plan.ts", source)).toHaveLength(1);
  });

  test("does not take text for an import", () => {
    const source = 'export const hint = "write it from memory";\nconst b = "import x from \'y\'";';
    expect(forbiddenImports("shared/domain/plan.ts", source)).toEqual([]);
  });

  test("asks for a row where a folder has none", () => {
    expect(forbiddenImports("shared/novelty/a.ts", "")).toEqual([
      "shared/novelty/a.ts is in no room: add its folder to the table in scripts/check-imports.ts",
    ]);
  });
});
