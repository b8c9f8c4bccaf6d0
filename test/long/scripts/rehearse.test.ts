import { expect, test } from "vitest";
import { rehearse } from "../../../scripts/rehearse/rehearsal.ts";
import { reportOf } from "../../../scripts/rehearse/report.ts";
import { isInstalled, pythonWithMoto, runtimeClient } from "../../../scripts/rehearse/tools.ts";
import "../../support/bundled.ts";
import { testRegistry } from "../../support/test-registry.ts";

/** The imitation comes from PyPI, and AWS's client is compiled for minutes: tests use them, and never install them. */
const tools = isInstalled()
  ? { python: await pythonWithMoto(), client: await runtimeClient() }
  : console.warn("not rehearsed: `npm run rehearse` installs what it needs");

test.skipIf(!tools)(
  "a deployment is made, changed, rolled back, tried again and removed, and its functions run under AWS's client",
  async () => {
    if (!tools) return;
    const rehearsed = await rehearse({
      context: { stage: "prod", model: "scripted" },
      registry: testRegistry,
      tools,
      // One of each kind; `npm run rehearse` runs all of them.
      isRun: (name) => /-(Authorizer|Config|RunsStream|Worker|Sweeper)/.test(name),
    });
    const { text, isRight } = reportOf(rehearsed);
    expect(isRight, text).toBe(true);
    expect(rehearsed.steps.map(({ step }) => step)).toEqual([
      "create",
      "update a setting",
      "failed update",
      "the same update again",
      "delete",
    ]);
    expect(rehearsed.functions.length).toBeGreaterThanOrEqual(5);
  },
  300_000,
);
