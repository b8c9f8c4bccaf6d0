import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Project, projectOf } from "../project/project.ts";
import { type BuildRecord, isCurrent, isWhole, readRecord } from "./build-record.ts";
import { updateFile } from "./bundle-function.ts";
import { emptied, takeFiles } from "./lent-files.ts";
import { pathFrom } from "./path-from.ts";
import { type SourceState, sourceState } from "./source-state.ts";

/** The platform with a registry, whose bundles are there for a project with another one. */
export type Lender = { readonly lent: Project; readonly now: SourceState };

/** Undefined for the project whose bundles they are. @param lent  the platform's own registry when absent */
export function lenderTo({ root, dist }: Project, lent: Project = projectOf({ root })): Lender | undefined {
  return lent.dist === dist ? undefined : { lent, now: sourceState(lent) };
}

/**
 * Takes a function's bundle from those of the lender. Two thirds of the functions have no registry in them, and are
 * the same with any; bundling them again takes longer than the others.
 *
 * @param before  the sources of the project that takes it
 * @returns false when it has to be bundled: it is not there, has the registry in it, or was taken over itself. Then nothing
 *          says any more what it was made from, once the bundles that it came from are removed. A package says it elsewhere.
 */
export async function copyBundle(
  { root, dist }: Project,
  name: string,
  before: SourceState,
  { lent, now }: Lender,
  minify: boolean,
): Promise<boolean> {
  const record = readRecord(join(lent.dist, `${name}.built.json`));
  if (
    record?.form !== undefined ||
    record?.minify !== minify ||
    !isCurrent(record, now) ||
    !isWhole(root, record)
  )
    return false;
  if (pathFrom(root, lent.registry) in record.inputs) return false;
  if (record.stored === undefined && !existsSync(join(lent.dist, `${name}.meta.json`))) return false;
  const recordFile = join(dist, `${name}.built.json`);
  await rm(recordFile, { force: true });
  await emptied(join(dist, name));
  const outputs = await takeFiles(lent, name, record, join(dist, name));
  // What a bundle was made from is not needed where it is taken over; the package comes without it.
  await rm(join(dist, `${name}.meta.json`), { force: true });
  const { stored, ...kept } = record;
  await updateFile(recordFile, Buffer.from(JSON.stringify({ ...kept, outputs, ...ofState(record, before) })));
  return true;
}

/** What stands for all sources is that of the project: its packages lie elsewhere. */
const ofState = (record: BuildRecord, { recipe, names }: SourceState): Partial<BuildRecord> => ({
  recipe,
  ...(record.names !== undefined && { names }),
});
