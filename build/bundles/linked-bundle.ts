import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type Project, REGISTRY_IMPORT } from "../project/project.ts";
import { readSkills } from "../skills/read-skills.ts";
import { asModule } from "./as-module.ts";
import { type BuildRecord, buildRecord, isCurrent, isWhole, readRecord } from "./build-record.ts";
import { bundleRegistryPart, writeBundle } from "./bundle-function.ts";
import type { WrittenFile } from "./bundle-page.ts";
import { lenderTo } from "./copy-bundle.ts";
import { emptied, takeFiles } from "./lent-files.ts";
import { HEAD, REGISTRY_PART, SKILL_TEXTS, SKILLS_PART } from "./parts.ts";
import { pathFrom } from "./path-from.ts";
import { skillInputs } from "./skill-modules.ts";
import type { SourceState } from "./source-state.ts";

/** A project's own code as a bundle: what is put beside a function's open bundle. See `parts.ts`. */
type OwnPart = {
  /** By name in the function's folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Name of the module with the registry, which carries a digest of all files. */
  readonly registry: string;
  readonly record: BuildRecord;
};

/**
 * Bundles a project's registry and skills alone. It is the same for every function.
 *
 * @param before  the sources before: what is saved meanwhile makes what it is linked with stale
 * @throws esbuild's `BuildFailure` when the code cannot be bundled
 */
async function ownPart({ root, registry, dist }: Project, before: SourceState): Promise<OwnPart> {
  // Beside the functions: places in source maps are from there.
  const outdir = join(dist, "own");
  const bundle = await bundleRegistryPart({ root, registry, outdir, minify: true, packages: "bundle" });
  const skills = readSkills(dirname(registry));
  const text = (data: object): Uint8Array => Buffer.from(asModule(data));
  const files = new Map<string, Uint8Array>([
    ...bundle.outputFiles.map(({ path, contents }) => [relative(outdir, path), contents] as const),
    [SKILLS_PART, text({ foundSkills: skills.skills })],
    [SKILL_TEXTS, text({ skillTexts: skills.texts })],
  ]);
  const digest = createHash("sha256");
  for (const [name, contents] of files) digest.update(name).update(contents);
  const named = `registry-${digest.digest("hex").slice(0, 12)}.mjs`;
  rename(files, named);
  const metafile = {
    ...bundle.metafile,
    inputs: { ...skillInputs(root, dirname(registry), skills), ...bundle.metafile.inputs },
  };
  return { files, registry: named, record: buildRecord({ ...bundle, metafile }, before, true) };
}

/**
 * Puts a project's own part into the open bundle that a lender has of a function.
 *
 * @param outdir  takes the linked bundle; it may hold an earlier one that is running
 * @param tidy    whether what an earlier one left there goes
 * @returns its record; undefined when the lender has no open bundle of the function
 */
export type Linking = (name: string, outdir: string, tidy?: boolean) => Promise<BuildRecord | undefined>;

/**
 * Links the bundles of a project. Its own part is made once, when the first function takes it.
 *
 * @param before  the sources before
 * @param lender  the platform's own registry when absent
 */
export function linking(project: Project, before: SourceState, lender = lenderTo(project)): Linking {
  let part: Promise<OwnPart> | undefined;
  return async (name, outdir, tidy = false) => {
    if (lender === undefined) return undefined;
    const { lent, now } = lender;
    const open = readRecord(join(lent.dist, `${name}.built.json`));
    if (open?.form !== "open" || !isCurrent(open, now) || !isWhole(lent.root, open)) return undefined;
    part ??= ownPart(project, before);
    return link(name, { outdir, tidy, open, lent }, await part);
  };
}

type Link = {
  readonly outdir: string;
  readonly tidy: boolean;
  readonly open: BuildRecord;
  readonly lent: Project;
};

async function link(name: string, { outdir, tidy, open, lent }: Link, part: OwnPart): Promise<BuildRecord> {
  if (tidy) await emptied(outdir);
  const taken = await takeFiles(lent, name, open, outdir, [HEAD]);
  const stored = open.stored?.[HEAD];
  const head = await readFile(
    stored === undefined ? join(lent.dist, name, HEAD) : join(lent.root, stored),
    "utf8",
  );
  const linked = Buffer.from(head.replaceAll(`"./${REGISTRY_PART}"`, `"./${part.registry}"`));
  const written: WrittenFile[] = [...part.files, [HEAD, linked] as const].map(([file, contents]) => ({
    path: join(outdir, file),
    contents,
  }));
  await writeBundle(outdir, { outputFiles: written }, false);
  const own = written.map(({ path, contents }) => [pathFrom(lent.root, path), contents.byteLength]);
  const { atStart, lazy } = open.size;
  return {
    ...part.record,
    form: "linked",
    outputs: { ...taken, ...Object.fromEntries(own) },
    size: { atStart: atStart + part.record.size.atStart, lazy },
  };
}

/** Gives the module with the registry another name, under which it finds its source map. */
function rename(files: Map<string, Uint8Array>, named: string): void {
  const map = `${REGISTRY_PART}.map`;
  for (const [from, to] of [
    [REGISTRY_PART, named],
    [map, `${named}.map`],
  ] as const) {
    const contents = files.get(from);
    if (contents === undefined) throw new Error(`the bundler made no ${from}`);
    files.delete(from);
    const text = Buffer.from(contents).toString();
    files.set(to, Buffer.from(text.replace(`sourceMappingURL=${map}`, `sourceMappingURL=${named}.map`)));
  }
}

/** Whether a function's entry imports the registry, so that each project has a bundle of its own. */
export const importsRegistry = (source: string): boolean => source.includes(`"${REGISTRY_IMPORT}"`);
