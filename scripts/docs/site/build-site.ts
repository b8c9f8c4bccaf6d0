/**
 * Builds the documents as a static site into `dist-site/`: `npm run docs:site`; `-- --serve` shows it while it is written. Installs
 * VitePress below `site/` first, by a lock file of its own, so that nothing else waits for it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { managerCommand } from "../../../local/machine/manager-command.ts";
import { statusOf } from "../../../shared/errors.ts";
import { commandsIn, commandsPage, errorsPage, eventsPage, reference } from "./reference.ts";
import { decisionsPage, llmsTxt, sectionsOf, sidebarOf } from "./site-index.ts";
import { otherPages, sitePage, sitePathOf } from "./site-page.ts";

const root = join(import.meta.dirname, "../../..");
const site = join(root, "site");
const pages = join(site, "pages");

function write(path: string, text: string | Uint8Array): void {
  const file = join(pages, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writePages(): void {
  rmSync(pages, { recursive: true, force: true });
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"));
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  // Each is there as a page, and as Markdown for programs.
  const page = (path: string, text: string): void => {
    write(path, text);
    write(`public/${path}`, text);
  };
  for (const path of [...documents, ...Object.keys(otherPages)])
    page(sitePathOf(path) ?? path, sitePage(path, read(path)));
  const decisions = documents.filter((path) => path.startsWith("docs/decisions/"));
  page("decisions/index.md", decisionsPage(decisions.map((path) => ({ path, text: read(path) }))));
  page(
    "reference/commands.md",
    commandsPage(["", ...commandsIn(help(""))].map((command) => ({ command, text: help(command) }))),
  );
  page("reference/events.md", eventsPage(read("client/operations.ts")));
  page("reference/errors.md", errorsPage(statusOf));
  cpSync(join(root, "docs/console.png"), join(pages, "console.png"));
  // Pages lead to the policies of a deployment.
  for (const name of readdirSync(join(root, "docs")).filter((path) => path.endsWith(".json")))
    write(`public/${name}`, read(`docs/${name}`));
  const sections = [...sectionsOf(read("docs/README.md")), reference];
  write("sidebar.json", JSON.stringify(sidebarOf(sections)));
  write(
    "nav.json",
    JSON.stringify([
      { text: "All pages", link: "/all-pages" },
      { text: "Changes", link: "/changelog" },
    ]),
  );
  write("public/llms.txt", llmsTxt(sections));
}

/** What the command line says of a command; of itself for none. */
function help(command: string): string {
  const args = [join(root, "package/cli/main.ts"), ...(command === "" ? [] : [command]), "--help"];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

function run(file: string, args: readonly string[], isQuoted = false): void {
  const { status } = spawnSync(file, args, {
    cwd: site,
    stdio: "inherit",
    windowsVerbatimArguments: isQuoted,
  });
  if (status !== 0) process.exit(status ?? 1);
}

writePages();
const vitepress = join(site, "node_modules/vitepress/bin/vitepress.js");
if (!existsSync(vitepress)) {
  const { file, args, isQuoted } = managerCommand("npm", ["ci", "--no-audit", "--no-fund"]);
  run(file, args, isQuoted);
}
run(process.execPath, [vitepress, process.argv.includes("--serve") ? "dev" : "build", "."]);
