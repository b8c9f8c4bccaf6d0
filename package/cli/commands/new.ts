import { existsSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { UsageError } from "../usage-error.ts";

const template = join(import.meta.dirname, "../../template");
/** npm leaves out or reads files of these names when it packs, so they are stored under others. */
const storedAs: Readonly<Record<string, string>> = {
  "_package.json": "package.json",
  _gitignore: ".gitignore",
  "_env.example": ".env.example",
};

type NewOptions = { readonly package: string };

/**
 * Makes a project in a folder that is empty or not there.
 *
 * @throws UsageError when something is in the folder
 */
export async function makeProject(folder: string, options: NewOptions): Promise<void> {
  const target = resolve(folder);
  const name = packageName(basename(target));
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new UsageError(`${folder} is not empty. Name a folder that is not there yet.`);
  }
  const files = (await readdir(template, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name: file } of files) {
    const from = join(parentPath, file);
    const to = join(target, relative(template, dirname(from)), storedAs[file] ?? file);
    await mkdir(dirname(to), { recursive: true });
    const text = await readFile(from, "utf8");
    await writeFile(to, text.replaceAll("{{name}}", name).replaceAll("{{package}}", options.package));
  }
  console.log(`${folder} is made. Now:

  cd ${folder}
  npm install
  npm run dev
`);
}

/** @source npm, "package.json": lower case, without a dot or an underscore at the beginning */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-._~]+/g, "-")
    .replace(/^[-._]+/, "") || "my-agents";
