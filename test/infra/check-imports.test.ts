import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkImports, forbiddenImports } from "../../scripts/check-imports.ts";
import { allowedImports } from "../../scripts/imports/allowed-imports.ts";
import { faces } from "../../scripts/imports/faces.ts";
import { findCircles } from "../../scripts/imports/find-circles.ts";
import { sourceFiles } from "../../scripts/imports/source-imports.ts";

const importing = (specifier: string) => `import { thing } from "${specifier}";\n`;

const file = (path: string, ...specifiers: string[]) => ({ path, specifiers });

describe("circles of imports", () => {
  test("are found, however long, each once", () => {
    const files = [
      file("shared/a.ts", "./b.ts", "valibot"),
      file("shared/b.ts", "./c/d.ts"),
      file("shared/c/d.ts", "../a.ts", "./e.ts"),
      file("shared/c/e.ts"),
      file("lib/f.ts", "./g.ts", "../shared/a.ts"),
      file("lib/g.ts", "./f.ts"),
    ];
    expect(findCircles(files)).toEqual([
      ["shared/a.ts", "shared/b.ts", "shared/c/d.ts"],
      ["lib/f.ts", "lib/g.ts"],
    ]);
  });

  test("are none where two files import a third", () => {
    const files = [file("a.ts", "./b.ts", "./c.ts"), file("b.ts", "./c.ts"), file("c.ts")];
    expect(findCircles(files)).toEqual([]);
  });
});

describe("the import direction", () => {
  test("holds in the whole project", () => {
    expect(checkImports(join(import.meta.dirname, "../.."))).toEqual([]);
  });

  test.each([
    ["shared/domain/plan.ts", "@aws-sdk/client-dynamodb"],
    ["shared/domain/plan.ts", "../runtime/clock.ts"],
    ["shared/routes/runs.ts", "node:fs"],
    ["shared/schemas/runs/run.ts", "../../routes/runs.ts"],
    ["shared/stores/jobs/job-item.ts", "../../http/serve.ts"],
    ["shared/engine/run.ts", "aws-jwt-verify"],
    ["shared/engine/run.ts", "../../functions/runs/index.ts"],
    ["shared/auth/authorize.ts", "@middy/core"],
    ["functions/runs/index.ts", "../sweeper/sweep.ts"],
    ["functions/runs/mcp/tools.ts", "../../runnables/list-agents.ts"],
    ["functions/a2a/call-method.ts", "../runs/run-handlers.ts"],
    ["functions/a2a/call-method.ts", "../../shared/runs/find-run.ts"],
    ["functions/worker/index.ts", "../../shared/runs/execute/execute-job.ts"],
    ["functions/runs/mcp/tools.ts", "../../../shared/runnables/list-runnables.ts"],
    ["shared/engine/run.ts", "../runs/index.ts"],
    ["shared/stores/jobs/move-job.ts", "../../data/guard.ts"],
    ["functions/evals/create-eval.ts", "../../shared/evals/trials.ts"],
    ["functions/eval-worker/index.ts", "../../shared/evals/process-eval.ts"],
    ["shared/runs/create/plan.ts", "../../runnables/list-runnables.ts"],
    ["shared/stores/jobs/job-item.ts", "../../work/lease.ts"],
    ["functions/deliveries/index.ts", "../../shared/outbound/signing-keys.ts"],
    ["functions/chat-worker/index.ts", "../../shared/chat/slack/connect-slack.ts"],
    ["shared/engine/run/files-as-text.ts", "../../knowledge/readers/pick-reader.ts"],
    ["local/main.ts", "../shared/runs/runs-deps.ts"],
    ["functions/runs/index.ts", "../../local/main.ts"],
    ["functions/runs/index.ts", "@aws-sdk/lib-dynamodb"],
    ["lib/api/http-api.ts", "../../shared/stores/jobs/job-item.ts"],
    ["lib/api/http-api.ts", "@aws-sdk/client-sqs"],
    ["registry/agents/a.ts", "../../shared/stores/db.ts"],
    ["registry/agents/a.ts", "../../shared/engine/define/agent.ts"],
    ["shared/engine/run/execution.ts", "../loop/take-step.ts"],
    ["shared/http/serve.ts", "../../test/support/records.ts"],
    ["registry/agents/a.ts", "../../test/support/registry/agents.ts"],
    ["test/support/registry/agents.ts", "../../../registry/agents/a.ts"],
    ["test/flows/a.test.ts", "../../registry/index.ts"],
    ["bench/a.ts", "../registry/index.ts"],
    ["scripts/a.ts", "../registry/agents/a.ts"],
    ["local/a.ts", "../build/bundles/bundle-page.ts"],
    ["local/a.ts", "../scripts/check.ts"],
    ["package/cli/a.ts", "../../scripts/check.ts"],
    ["bin/a.ts", "../build/project/project.ts"],
    ["build/project/a.ts", "../../scripts/check.ts"],
  ])("%s may not import %s", (path, specifier) => {
    expect(forbiddenImports(path, importing(specifier))).toEqual([`${path} may not import ${specifier}`]);
  });

  test.each([
    ["shared/engine/run.ts", "../stores/runs/get-run.ts"],
    ["shared/stores/jobs/job-item.ts", "@aws-sdk/lib-dynamodb"],
    ["functions/runs/index.ts", "../../shared/http/serve.ts"],
    ["functions/runs/index.ts", "./get-agent-run.ts"],
    ["functions/runs/mcp/tools.ts", "../list-runs.ts"],
    ["functions/runs/index.ts", "../../shared/runs/index.ts"],
    ["functions/worker/index.ts", "../../shared/runs/worker.ts"],
    ["shared/stores/jobs/move-job.ts", "../../data/index.ts"],
    ["functions/evals/create-eval.ts", "../../shared/evals/index.ts"],
    ["functions/eval-worker/index.ts", "../../shared/evals/worker.ts"],
    ["shared/stores/jobs/job-item.ts", "../../work/index.ts"],
    ["functions/chat-worker/index.ts", "../../shared/chat/index.ts"],
    ["shared/engine/run/files-as-text.ts", "../../knowledge/reading.ts"],
    ["shared/runs/create/plan.ts", "../read/visible-run.ts"],
    ["test/runs/a.test.ts", "../../shared/runs/find-run.ts"],
    ["lib/api/http-api.ts", "aws-cdk-lib/aws-lambda"],
    ["registry/agents/a.ts", "../../shared/engine/define/index.ts"],
    ["test/registry/a.test.ts", "../../registry/index.ts"],
    ["test/flows/a.test.ts", "../support/registry/index.ts"],
    ["shared/engine/loop/take-step.ts", "../run/execution.ts"],
    ["shared/engine/loop/take-step.ts", "./run-tools.ts"],
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

  test("lets no function import the folder of another", () => {
    const others = Object.entries(allowedImports)
      .filter(([folder]) => folder.startsWith("functions/"))
      .flatMap(([folder, { from }]) =>
        from.filter((place) => /^(functions\/|$)/.test(place)).map(() => folder),
      );
    expect(others).toEqual([]);
  });

  test("lets stores alone look behind the face of a family of stores", () => {
    expect(forbiddenImports("shared/stores/jobs/a.ts", importing("../evals/eval-item.ts"))).toEqual([]);
    expect(
      forbiddenImports("shared/engine/run/a.ts", importing("../../stores/evals/eval-item.ts")),
    ).toHaveLength(1);
    expect(forbiddenImports("shared/engine/run/a.ts", importing("../../stores/evals/index.ts"))).toEqual([]);
  });

  test("knows each face of a room as a file of it that only names what others may use", () => {
    const root = join(import.meta.dirname, "../..");
    const unfit = Object.entries(faces).flatMap(([room, shown]) =>
      shown.filter((face) => {
        const code = readFileSync(join(root, face), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "");
        const isNaming = /^(\s*export (type )?\{[^}]*\} from "\.\/[^"]+";\n)+$/.test(code);
        return !(face.startsWith(room) && isNaming);
      }),
    );
    expect(unfit).toEqual([]);
  });

  test("knows no module of shared/ that is loaded for what its loading does, which bundles would leave out", () => {
    const loaded = sourceFiles(join(import.meta.dirname, "../.."))
      .filter(({ path }) => path.startsWith("shared/"))
      .filter(({ source }) => /^import\s*["']\.[^"']+["']/m.test(source));
    expect(loaded.map(({ path }) => path)).toEqual([]);
  });

  test("asks for a row where a folder has none", () => {
    expect(forbiddenImports("shared/novelty/a.ts", "")).toEqual([
      "shared/novelty/a.ts has no row: add its folder to the table in scripts/imports/allowed-imports.ts",
    ]);
  });

  test("asks for a place where a folder of the engine has none", () => {
    expect(forbiddenImports("shared/engine/novelty/a.ts", "")).toEqual([
      "shared/engine/novelty/a.ts has no place: add its folder to the list in scripts/imports/engine-order.ts",
    ]);
  });
});
