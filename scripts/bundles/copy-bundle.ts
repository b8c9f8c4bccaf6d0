import { cp, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type BuildRecord, isCurrent, isWhole, readRecord } from "./build-record.ts";
import { updateFile } from "./bundle-function.ts";
import { type Project, projectOf } from "./project.ts";
import { type SourceState, sourceState } from "./source-state.ts";

/** The platform's own bundles, for a project with another registry. */
export type Lender = { readonly own: Project; readonly now: SourceState };

/** Undefined for the project whose bundles they are. */
export function lenderTo({ root, dist }: Project): Lender | undefined {
  const own = projectOf({ root });
  return own.dist === dist ? undefined : { own, now: sourceState(own) };
}

/**
 * Takes a function's bundle from the project's own bundles. Two thirds of the functions have no registry in them, and are
 * the same with any; bundling them again takes longer than the others.
 *
 * @param before  the sources of the project that takes it
 * @returns false when it has to be bundled: it is not there, or has the registry in it
 */
export async function copyBundle(
  { root, dist }: Project,
  name: string,
  before: SourceState,
  { own, now }: Lender,
  minify: boolean,
): Promise<boolean> {
  const record = readRecord(join(own.dist, `${name}.built.json`));
  if (record?.minify !== minify || !isCurrent(record, now) || !isWhole(root, record)) return false;
  if (pathFrom(root, own.registry) in record.inputs) return false;
  const recordFile = join(dist, `${name}.built.json`);
  await rm(recordFile, { force: true });
  await rm(join(dist, name), { recursive: true, force: true });
  await cp(join(own.dist, name), join(dist, name), { recursive: true });
  await cp(join(own.dist, `${name}.meta.json`), join(dist, `${name}.meta.json`));
  await updateFile(
    recordFile,
    Buffer.from(JSON.stringify({ ...moved(record, root, own.dist, dist), ...ofState(record, before) })),
  );
  return true;
}

/** The record of a bundle whose files are in another folder. */
function moved(record: BuildRecord, root: string, from: string, to: string): BuildRecord {
  const outputs = Object.entries(record.outputs).map(([path, bytes]) => [
    pathFrom(root, join(to, relative(from, join(root, path)))),
    bytes,
  ]);
  return { ...record, outputs: Object.fromEntries(outputs) };
}

/** What stands for all sources is that of the project: its packages lie elsewhere. */
const ofState = (record: BuildRecord, { recipe, names }: SourceState): Partial<BuildRecord> => ({
  recipe,
  ...(record.names !== undefined && { names }),
});

const pathFrom = (root: string, file: string): string => relative(root, file).split(sep).join("/");
