import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openBundles } from "../../local/bundles.ts";
import type { FunctionError } from "../../local/lambda/messages.ts";
import { fixtureCloud, temporaryFolder } from "./fixture-cloud.ts";

describe("an invocation of a function that is not bundled yet", () => {
  const says = (word: string) => ({ code: `export const handler = async () => "${word}";` });

  test("waits for its own bundle only, and fails with what is wrong with it", async () => {
    const bundles = new Map(
      ["late", "broken"].map((name) => [name, Promise.withResolvers<FunctionError | undefined>()]),
    );
    const asked: string[] = [];
    const cloud = await fixtureCloud({
      functions: { made: says("made"), late: says("late"), broken: says("broken") },
      bundled: (file) => {
        const name = basename(dirname(file));
        asked.push(name);
        return bundles.get(name)?.promise;
      },
    });
    const invoke = (label: string) => {
      const model = cloud.model.functions.find((one) => one.label === label);
      if (!model) throw new Error(`there is no function ${label}`);
      return cloud.lambda.invoke(model, { event: () => "{}" });
    };
    try {
      let isAnswered = false;
      const late = invoke("late").finally(() => {
        isAnswered = true;
      });
      const broken = invoke("broken");
      expect(await invoke("made")).toEqual({ ok: true, payload: '"made"' });
      expect(asked).toEqual(["late", "broken", "made"]);
      expect(isAnswered).toBe(false);
      bundles.get("late")?.resolve(undefined);
      expect(await late).toEqual({ ok: true, payload: '"late"' });
      const error = { errorType: "Runtime.BundleError", errorMessage: "registry/index.ts:1:2: no" };
      bundles.get("broken")?.resolve(error);
      expect(await broken).toEqual({ ok: false, error });
    } finally {
      await cloud.stop();
    }
  });
});

test("a request waits for as long as its function is bundled, and has its 30 seconds afterwards", async () => {
  const bundle = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<void>();
  const cloud = await fixtureCloud({
    functions: { late: { code: 'export const handler = async () => ({ statusCode: 200, body: "made" });' } },
    routes: { $default: "late" },
    bundled: () => {
      asked.resolve();
      return bundle.promise;
    },
  });
  // What waits for a moment, such as the start of a thread, goes on.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    const answer = fetch(cloud.url);
    await asked.promise;
    await vi.advanceTimersByTimeAsync(120_000);
    bundle.resolve(undefined);
    expect(await (await answer).text()).toBe("made");
  } finally {
    await cloud.stop();
    vi.useRealTimers();
  }
});

describe("bundles that are made while the platform runs", () => {
  const shown: string[] = [];
  beforeEach(() => void shown.splice(0));
  const root = (broken: readonly string[]): string => {
    const folder = temporaryFolder();
    for (const name of ["authorizer", "platform", "other", "more"]) {
      const text = broken.includes(name) ? "export const handler = ;" : "export const handler = () => 1;";
      mkdirSync(join(folder, "functions", name), { recursive: true });
      writeFileSync(join(folder, "functions", name, "index.ts"), text);
    }
    return folder;
  };
  const open = (folder: string) =>
    openBundles({
      root: folder,
      progress: () => {},
      passing: () => {},
      show: (line) => void shown.push(line),
    });

  test("fail the start when it is known by then that one is broken", async () => {
    const folder = root(["platform"]);
    const bundles = open(folder);
    await expect(bundles.ready()).rejects.toThrow(/functions\/platform\/index\.ts:1:24/);
    await bundles.finished;
    expect(shown).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("are reported once when they are broken afterwards", async () => {
    const folder = root(["other"]);
    const bundles = open(folder);
    await bundles.ready();
    const fault = await bundles.need(join(folder, "dist/other/index.mjs"));
    expect(fault).toMatchObject({ errorType: "Runtime.BundleError" });
    await bundles.finished;
    expect(shown).toEqual([`other cannot be bundled: ${fault?.errorMessage}`]);
    rmSync(folder, { recursive: true });
  });
});
