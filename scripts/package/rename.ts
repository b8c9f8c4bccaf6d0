/** Gives the package another name, everywhere at once: `npm run package:rename -- @scope/name`. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_NAME } from "../../package/name.ts";

const root = join(import.meta.dirname, "../..");
const [, , name = ""] = process.argv;
/** @source npm, "package.json": a scope and a name, lower case */
if (!/^@[a-z0-9][a-z0-9-._~]*\/[a-z0-9][a-z0-9-._~]*$/.test(name)) {
  console.error("Say the new name, with its scope: npm run package:rename -- @scope/name");
  process.exit(2);
}
const files = execFileSync("git", ["grep", "-lF", PACKAGE_NAME], { cwd: root, encoding: "utf8" });
for (const file of files.trim().split("\n")) {
  const text = readFileSync(join(root, file), "utf8");
  writeFileSync(
    join(root, file),
    text.replaceAll(PACKAGE_NAME, name).replaceAll(tarballOf(PACKAGE_NAME), tarballOf(name)),
  );
}
console.log(
  `The package is called ${name} now, in ${files.trim().split("\n").length} files. npm run pack makes ${tarballOf(name)}-<version>.tgz.`,
);

/** How npm calls the file of a package. */
function tarballOf(scoped: string): string {
  return scoped.replace("@", "").replace("/", "-");
}
