import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cachedSynthesis } from "../../local/template/template-cache.ts";
import { temporaryFolder } from "./fixture-cloud.ts";

let root: string;
let folder: string;
let made: number;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, "cache");
  made = 0;
  mkdirSync(join(root, "lib"));
  write("first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (text: string): void => writeFileSync(join(root, "lib", "stack.ts"), text);

const stacksNamed = (name: string) => [{ name, assetFolder: root, template: { Resources: {} } }];
const cached = (name: string, context = {}) =>
  cachedSynthesis(
    context,
    async () => {
      made++;
      return stacksNamed(name);
    },
    { root, folder },
  );
const nameOf = async (synthesized: ReturnType<typeof cached>) => (await synthesized)[0]?.name;

test("templates are kept until a source or the context changes", async () => {
  expect(await nameOf(cached("made"))).toBe("made");
  expect(await nameOf(cached("again"))).toBe("made");
  expect(await nameOf(cached("other context", { stage: "test" }))).toBe("other context");
  write("second");
  expect(await nameOf(cached("other source"))).toBe("other source");
  write("first");
  expect(await nameOf(cached("again"))).toBe("made");
});

test("several who need the same templates at once in one process all get them", async () => {
  const names = await Promise.all(Array.from({ length: 8 }, () => nameOf(cached("made"))));
  expect(names).toEqual(Array(8).fill("made"));
  expect(made).toBeGreaterThan(1);
  expect(await nameOf(cached("again"))).toBe("made");
  expect(readdirSync(folder)).toHaveLength(1);
});

test("templates made while a source was saved are not kept for the sources from before", async () => {
  await cachedSynthesis(
    {},
    async () => {
      write("second");
      return stacksNamed("of the second");
    },
    { root, folder },
  );
  write("first");
  expect(await nameOf(cached("of the first"))).toBe("of the first");
});

test("a file that an editor replaces while the sources are read is no failure", async () => {
  const saved = join(root, "lib", "stack.ts");
  let isAway = false;
  const saving = setInterval(() => {
    const [from, to] = isAway ? [`${saved}.new`, saved] : [saved, `${saved}.new`];
    renameSync(from, to);
    isAway = !isAway;
  });
  try {
    for (let round = 0; round < 200; round++) await cached("made", { round });
  } finally {
    clearInterval(saving);
  }
});

test("sources whose digest is given are not read", async () => {
  const asked = (name: string) =>
    cachedSynthesis({}, async () => stacksNamed(name), { root, folder, sources: async () => "as they were" });
  expect(await nameOf(asked("made"))).toBe("made");
  write("second");
  expect(await nameOf(asked("again"))).toBe("made");
});

test("templates that a package brings are taken until something is another", async () => {
  const brought = join(root, "brought");
  await cachedSynthesis({ stage: "local" }, async () => stacksNamed("brought"), { root, folder: brought });
  const taken = (context: object) =>
    cachedSynthesis({ ...context }, async () => stacksNamed("made"), { root, folder, brought });
  expect(await nameOf(taken({ stage: "local" }))).toBe("brought");
  expect(await nameOf(taken({ stage: "other" }))).toBe("made");
  // Wherever the package lies.
  const elsewhere = temporaryFolder();
  mkdirSync(join(elsewhere, "lib"));
  writeFileSync(join(elsewhere, "lib", "stack.ts"), "first");
  const there = { root: elsewhere, folder: join(elsewhere, "cache"), brought };
  expect(await nameOf(cachedSynthesis({ stage: "local" }, async () => stacksNamed("made"), there))).toBe(
    "brought",
  );
});
