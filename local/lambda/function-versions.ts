import { createHash } from "node:crypto";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMissing } from "../machine/is-missing.ts";
import { TEMPORARY } from "../machine/whole-file.ts";

/** A version of a function's code, as it was when a thread first ran it. */
export type LocalVersion = {
  readonly version: string;
  /** Epoch milliseconds. */
  readonly publishedAt: number;
};

export type LocalVersions = {
  /**
   * Publishes the code of a module, unless it is the newest version already. A version is named by its content.
   *
   * @returns undefined when there is no such file yet
   */
  readonly publish: (functionName: string, file: string) => string | undefined;
  /** The module of a version; undefined when the version is gone. */
  readonly fileOf: (functionName: string, version: string) => string | undefined;
  /** From the oldest to the newest. */
  readonly list: (functionName: string) => readonly LocalVersion[];
  /** @returns whether there was such a version */
  readonly delete: (functionName: string, version: string) => boolean;
};

/** Copies of code that are kept; what was published longest ago goes. */
const COPIES = 200;

/**
 * The versions that functions publish on this machine. A deployment is here what changes the code: an edit that
 * `npm run dev` reloads, or a start after one.
 *
 * @param records  folder of the data: which versions there are
 * @param copies   folder with their code, from where it finds its packages; shared by all data folders, may be removed
 */
export function openVersions(records: string, copies: string): LocalVersions {
  const recordOf = (functionName: string, version: string): string => join(records, functionName, version);
  const copyOf = (version: string, module: string): string => join(copies, version, module);
  const list = (functionName: string): LocalVersion[] =>
    namesIn(join(records, functionName))
      .map((version) => ({
        version,
        publishedAt: statSync(recordOf(functionName, version)).mtimeMs,
      }))
      .sort((a, b) => a.publishedAt - b.publishedAt);
  return {
    publish(functionName, file) {
      const contents = unlessMissing(() => readFileSync(file));
      if (!contents) return undefined;
      const version = createHash("sha256").update(contents).digest("hex").slice(0, 16);
      if (list(functionName).at(-1)?.version === version && isThere(copyOf(version, basename(file))))
        return version;
      keepCopy(file, copies, version);
      mkdirSync(join(records, functionName), { recursive: true });
      writeFileSync(recordOf(functionName, version), basename(file));
      return version;
    },
    fileOf(functionName, version) {
      const module = unlessMissing(() => readFileSync(recordOf(functionName, basename(version)), "utf8"));
      if (module === undefined) return undefined;
      const copy = copyOf(version, module);
      return isThere(copy) ? copy : undefined;
    },
    list,
    delete(functionName, version) {
      const record = recordOf(functionName, basename(version));
      const wasThere = isThere(record);
      rmSync(record, { force: true });
      return wasThere;
    },
  };
}

/** Links the files: whoever bundles replaces a file as a whole, so that what is linked stays as it is. */
function keepCopy(file: string, copies: string, version: string): void {
  const folder = join(copies, version);
  if (isThere(join(folder, basename(file)))) return;
  const unfinished = `${folder}${TEMPORARY}${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const name of namesIn(dirname(file))) linkOrCopy(join(dirname(file), name), join(unfinished, name));
  try {
    renameSync(unfinished, folder);
  } catch {
    // Another platform has made the same copy meanwhile.
    rmSync(unfinished, { recursive: true, force: true });
  }
  removeOldest(copies);
}

function removeOldest(copies: string): void {
  const finished = namesIn(copies).filter((name) => !name.includes(TEMPORARY));
  const byAge = finished.toSorted((a, b) => changedAt(join(copies, b)) - changedAt(join(copies, a)));
  for (const name of byAge.slice(COPIES)) rmSync(join(copies, name), { recursive: true, force: true });
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another file system, or one without links.
    copyFileSync(from, to);
  }
}

const namesIn = (folder: string): string[] => unlessMissing(() => readdirSync(folder)) ?? [];

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
