import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { startPlatform } from "../support/platform.ts";

test("every log line of a request or a job names it, and none holds a token or what was said", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
  try {
    const platform = await startPlatform({ dataDir });
    const token = platform.token("maria", ["agents:run", "agents:read"]);
    const maria = clientOf(platform.url, token);
    const waited = await maria.run("a secret plan");
    const failed = await maria.submit("[[fail:out of luck]]", { favourite: "a secret plan" });
    await maria.settled(failed);
    const lost = await maria.run("[[fail:out of luck]]");
    const wrong = await maria.run('[[tool:get_time {"timezone":"Nowhere/a secret plan"}]]');
    await clientOf(platform.url, `${token}x`).run("a secret plan");
    await platform.stop();

    const text = readFileSync(join(dataDir, "functions.log"), "utf8");
    const all = text
      .split("\n")
      .flatMap((line) => (line.includes('{"') ? [JSON.parse(line.slice(line.indexOf("{")))] : []));
    // Figures go by lines of their own.
    const lines = all.filter((line) => !("_aws" in line));
    const requestId = waited.headers.get("x-request-id");
    expect(lines.filter(({ request_id }) => request_id === requestId)).toHaveLength(1);
    const ofJob = lines.filter(({ job_id }) => job_id === failed.run_id);
    expect(ofJob).toMatchObject([{ level: "ERROR", cause: "model", request_id: expect.any(String) }]);
    const ofRun = (id: string) => lines.filter(({ run_id }) => run_id === id);
    const request = { level: "INFO", message: "request", operation: "createAgentRun", status: 200 };
    expect(ofRun(lost.json.run_id)).toMatchObject([
      { level: "ERROR", cause: "model", message: "a run failed" },
      request,
    ]);
    // The places are those of the sources, although the bundles are minified.
    const places = expect.arrayContaining([
      expect.stringMatching(/^test\/support\/registry\/plain-tools\.ts:\d+:\d+$/),
      expect.stringMatching(/^shared\/engine\/turn\/call-tool\.ts:\d+:\d+$/),
    ]);
    expect(ofRun(wrong.json.run_id)).toMatchObject([
      { level: "WARN", tool_name: "get_time", error_type: "RangeError", at: places },
      request,
    ]);
    const figures = all.filter((line) => "_aws" in line);
    expect(figures).toContainEqual(expect.objectContaining({ request_id: requestId, RunsCompleted: 1 }));
    expect(figures).toContainEqual(
      expect.objectContaining({ job_id: failed.run_id, cause: "model", Failures: 1 }),
    );
    for (const { _aws } of figures) {
      const [{ Namespace, Dimensions }] = _aws.CloudWatchMetrics;
      expect([Namespace, ["service", "cause"]]).toEqual([
        "AgentPlatform",
        expect.arrayContaining(Dimensions.flat()),
      ]);
    }
    // What timers report serves no request.
    const ofTimers = ["swept", "schedules compared"];
    expect(lines.filter(({ request_id, message }) => !request_id && !ofTimers.includes(message))).toEqual([]);
    for (const secret of [token, token.slice(-40), "a secret plan"]) expect(text).not.toContain(secret);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
