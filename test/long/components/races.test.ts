import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addComponent } from "../../../functions/components/add-component.ts";
import { archiveComponent } from "../../../functions/components/archive-component.ts";
import type { ComponentsDeps } from "../../../functions/components/components-deps.ts";
import { restoreComponent } from "../../../functions/components/restore-component.ts";
import { createConfigVersion } from "../../../functions/components/versions/create-config-version.ts";
import { removeConfigVersion } from "../../../functions/components/versions/remove-config-version.ts";
import { setCurrentConfigVersion } from "../../../functions/components/versions/set-current-config-version.ts";
import { updateConfigVersion } from "../../../functions/components/versions/update-config-version.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { getComponent } from "../../../shared/stores/components/component-item.ts";
import { listComponents } from "../../../shared/stores/components/list-components.ts";
import { listVersions } from "../../../shared/stores/components/version-item.ts";
import { componentsDeps } from "../../support/components-deps.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { watchedDb } from "../../support/watched-db.ts";

/**
 * Several writers do random things to two components that may hold each other, and every call to the store waits until
 * chance lets it through. Whatever the order, what is stored fits together, and what was answered is so.
 */
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

const version = fc.integer({ min: 1, max: 4 });
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant("create"), published: fc.boolean(), holds: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("publish"), version }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("label"), version }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("hold"), version }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("remove"), version }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("setCurrent"), version }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("archive") }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("restore") }) },
) as fc.Arbitrary<Action>;
type Action = {
  readonly act: "create" | "publish" | "label" | "hold" | "remove" | "setCurrent" | "archive" | "restore";
  readonly version?: number;
  readonly published?: boolean;
  readonly holds?: boolean;
};
const script = fc.array(fc.record({ on: fc.constantFrom(0, 1), action }), { minLength: 2, maxLength: 6 });

const principal = { kind: "user", user_id: "maria", scopes: ["agents:run"], admin: false } as const;
const common = {
  query: { force: false },
  headers: {},
  principal,
  signal: new AbortController().signal,
  invocation: {},
};
const linkTo = (id: string) => ({
  link_kind: "member",
  link_key: "m",
  child_component_id: id,
  child_version: 1,
});

/** What a writer was answered, as far as it must hold for ever. */
type Answered = {
  readonly made: Map<string, number[]>;
  readonly published: Set<string>;
  readonly removed: Set<string>;
};

async function perform(
  deps: ComponentsDeps,
  id: string,
  other: string,
  { act, ...asked }: Action,
  answered: Answered,
) {
  const at = { component_id: id, version: asked.version ?? 1 };
  const name = `${id} ${at.version}`;
  const links = asked.holds ? [linkTo(other)] : [];
  switch (act) {
    case "create": {
      const stage = asked.published ? "published" : "draft";
      const body = { config: {}, stage, label: undefined, notes: undefined, links };
      const made = await createConfigVersion({ ...common, params: { component_id: id }, body }, deps);
      const { version } = made as VersionRecord;
      answered.made.set(id, [...(answered.made.get(id) ?? []), version]);
      if (asked.published) answered.published.add(`${id} ${version}`);
      return;
    }
    case "publish":
      await updateConfigVersion({ ...common, params: at, body: { stage: "published" } }, deps);
      answered.published.add(name);
      return;
    case "label":
      return updateConfigVersion({ ...common, params: at, body: { label: "the one" } }, deps);
    case "hold":
      return updateConfigVersion({ ...common, params: at, body: { links: [linkTo(other)] } }, deps);
    case "remove":
      await removeConfigVersion({ ...common, query: {}, params: at, body: undefined }, deps);
      answered.removed.add(name);
      return;
    case "setCurrent":
      return setCurrentConfigVersion({ ...common, params: at, body: {} }, deps);
    case "archive":
      return archiveComponent(deps, principal, id, { guard: undefined });
    case "restore":
      return restoreComponent({ ...common, query: {}, params: { component_id: id }, body: undefined }, deps);
  }
}

/** What must be so between two components and their versions, whoever came first. */
async function expectWhole(ids: readonly [string, string], answered: Answered) {
  const all = await Promise.all(
    ids.map(async (id) => {
      const component = await getComponent(stores.db, id);
      if (!component) throw new Error("it was made");
      return { component, versions: await listVersions(stores.db, id) };
    }),
  );
  for (const { component, versions } of all) {
    const { component_id: id, current_version: current } = component;
    expect(component.living_versions).toBe(versions.length);
    expect(versions.length).toBeGreaterThan(0);
    const published = versions.filter(({ stage }) => stage === "published");
    expect(published.length > 0).toBe(current !== undefined);
    if (current !== undefined) expect(published.map((one) => one.version)).toContain(current);
    const made = answered.made.get(id) ?? [];
    expect(new Set(made).size).toBe(made.length);
    expect(Math.max(1, ...made)).toBeLessThan(component.next_version);
    const labelled = versions.filter(({ label }) => label !== undefined);
    expect(labelled.length).toBeLessThanOrEqual(1);
    for (const one of versions) expect(answered.removed).not.toContain(`${id} ${one.version}`);
    for (const name of answered.published) {
      const [of, number] = name.split(" ");
      if (of === id) expect(published.map((one) => one.version)).toContain(Number(number));
    }
  }
  expectHolds(all);
}

type Whole = { readonly component: ComponentRecord; readonly versions: readonly VersionRecord[] };

function expectHolds(all: readonly Whole[]) {
  const byId = new Map(all.map((one) => [one.component.component_id, one]));
  const holding = all.filter(({ component }) => component.deleted_at === undefined);
  const pairs = holding.flatMap(({ component, versions }) =>
    versions.flatMap((parent) => parent.links.map((link) => ({ component, parent, link }))),
  );
  for (const { parent, link } of pairs) {
    const child = byId.get(link.child_component_id);
    expect(child?.component.deleted_at).toBeUndefined();
    const held = child?.versions.find((one) => one.version === link.child_version);
    // A draft may name a version that was never there; one that it held is not taken away.
    if (parent.stage === "published") expect(held?.stage).toBe("published");
  }
}

let rounds = 0;
test("writers who race leave one current version, no dangling pointer, no number twice, and no child lost", async () => {
  const property = fc.asyncProperty(
    fc.array(script, { minLength: 2, maxLength: 3 }),
    fc.scheduler(),
    async (scripts, scheduler) => {
      rounds += 1;
      const ids = [`a-${rounds}`, `b-${rounds}`] as const;
      const deps = componentsDeps(stores.db);
      for (const component_id of ids)
        await addComponent(deps, principal, "agent", { name: "x", component_id });
      const answered: Answered = { made: new Map(), published: new Set(), removed: new Set() };
      const db = watchedDb(stores.db, { before: () => scheduler.schedule(Promise.resolve()) });
      const write = async (steps: (typeof scripts)[number]) => {
        for (const { on, action } of steps) {
          const [id, other] = on === 0 ? ids : ([ids[1], ids[0]] as const);
          await perform({ ...deps, db }, id, other, action, answered).catch(refused);
        }
      };
      await scheduler.waitFor(Promise.all(scripts.map(write)));
      await expectWhole(ids, answered);
      const listed = {
        audiences: ["open", "owner#maria"] as const,
        type: undefined,
        hidden: [],
        page: 1,
        limit: 100,
      };
      const { total } = await listComponents(stores.db, { ...listed, include_deleted: true });
      expect(total).toBe(2 * rounds);
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

const hold: Action = { act: "hold", version: 1 };
const publish: Action = { act: "publish", version: 1 };

/**
 * Both at once, on a fresh pair of drafts of which one may come to hold the other; then how the pair is.
 *
 * @param late  how many turns the second waits: it has fewer calls to make, and would mostly be first
 */
async function race(
  one: readonly [0 | 1, Action],
  two: readonly [0 | 1, Action],
  scheduler: fc.Scheduler,
  late = 0,
) {
  rounds += 1;
  const ids = [`parent-${rounds}`, `child-${rounds}`] as const;
  const deps = componentsDeps(stores.db);
  for (const component_id of ids) await addComponent(deps, principal, "agent", { name: "x", component_id });
  const answered: Answered = { made: new Map(), published: new Set(), removed: new Set() };
  const db = watchedDb(stores.db, { before: () => scheduler.schedule(Promise.resolve()) });
  const act = async ([on, action]: typeof one, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await scheduler.schedule(Promise.resolve());
    await perform({ ...deps, db }, ids[on], ids[1 - on] ?? "", action, answered).catch(refused);
  };
  await scheduler.waitFor(Promise.all([act(one, 0), act(two, late)]));
  const [parent, child] = await Promise.all(ids.map((id) => getComponent(stores.db, id)));
  const [held, back] = await Promise.all(
    ids.map(async (id) => (await listVersions(stores.db, id))[0]?.links.length),
  );
  return { parent, child, holds: held === 1, isHeldBack: back === 1 };
}

test("a child is not archived by one who does not see it held by another in the same moment", async () => {
  const property = fc.asyncProperty(fc.scheduler(), fc.nat(6), async (scheduler, late) => {
    const { child, holds } = await race([0, hold], [1, { act: "archive" }], scheduler, late);
    expect(holds && child?.deleted_at !== undefined).toBe(false);
  });
  await fc.assert(property, { numRuns: 40 });
});

test("two who would hold each other do not both come to do so", async () => {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const { holds, isHeldBack } = await race([0, hold], [1, hold], scheduler);
    expect(holds && isHeldBack).toBe(false);
  });
  await fc.assert(property, { numRuns: 40 });
});

test("of two who publish the same draft one is answered that it is published already", async () => {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const { parent } = await race([0, publish], [0, publish], scheduler);
    // One for the creation, one for the one publication.
    expect(parent).toMatchObject({ revision: 2, current_version: 1 });
  });
  await fc.assert(property, { numRuns: 20 });
});

/** A refusal is an answer. */
function refused(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
}
