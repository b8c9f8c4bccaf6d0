import type { StoredItem } from "./attributes.ts";
import { textOf } from "./attributes.ts";
import { type Random, seededRandom } from "./random.ts";
import type { Process } from "./scheduler.ts";
import type { SimulatedTables, Written } from "./table.ts";

/** When the second version is deployed, and how long the first one stays after that. */
const DEPLOYED_MS = [0, 60_000] as const;
const KEPT_MS = [0, 3_000, 20_000, Number.POSITIVE_INFINITY] as const;

/**
 * Two versions of the code: in some worlds the second one declares another revision, and in some the first one is gone
 * while runs are pinned to it. A process keeps the version that was live when it started.
 *
 * @param now  epoch milliseconds
 */
export function simulatedVersions(seed: number, now: () => number) {
  // Of its own: the rest of a world stays as its seed has it.
  const random: Random = seededRandom(seed ^ 0x5eed);
  const deployedAt = now() + random.between(...DEPLOYED_MS);
  const goneAt = deployedAt + random.pick(KEPT_MS);
  const revisions = random.pick([
    { "1": "a", "2": "a" },
    { "1": "a", "2": "b" },
  ]);
  const versions = new Map<Process, Version>();
  return {
    of(process: Process): Version {
      const version = versions.get(process) ?? (now() < deployedAt ? "1" : "2");
      versions.set(process, version);
      return version;
    },
    /** A process that is started as this version, whichever is live. */
    startAs: (process: Process, version: Version): void => void versions.set(process, version),
    isKept: (version: string): version is Version => version === "2" || now() < goneAt,
    revisionOf: (version: Version): string => revisions[version],
    fits: revisions["1"] === revisions["2"],
  };
}
export type Version = "1" | "2";
export type SimulatedVersions = ReturnType<typeof simulatedVersions>;

/**
 * Watches that a run which has begun changes to another version only when its own is gone, and takes a checkpoint along
 * only to the same revision.
 */
export function observeVersions(
  tables: () => SimulatedTables,
  versions: SimulatedVersions,
  violated: (what: string) => void,
) {
  return {
    written(group: readonly Written[]): void {
      for (const { key, before, after } of group) {
        const [was, is] = [textOf(before?.code_version), textOf(after.code_version)];
        if (!key.startsWith("job#") || was === undefined || is === undefined || is === was) continue;
        const id = textOf(after.id) ?? "";
        if (versions.isKept(was))
          violated(`job ${id} went from version ${was} to ${is}, although ${was} is kept`);
        if (!versions.fits && runOf(tables(), after)?.checkpoint)
          violated(`job ${id} continued with version ${is}, whose revision is another one`);
      }
    },
  };
}

function runOf(tables: SimulatedTables, job: StoredItem): StoredItem | undefined {
  const session = `session#${encodeURIComponent(textOf(job.owner) ?? "")}#${textOf(job.session_id)}`;
  return tables.item("runs", session, `run#${textOf(job.id)}`);
}
