#!/usr/bin/env node
// Plain JavaScript that any Node from 20 on reads: it starts the Node that comes with the package, whatever the user's is.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const main = ["main.js", "main.ts"].map((name) => join(here, name)).find(existsSync);
const child = spawn(nodeBinary(), [main, ...process.argv.slice(2)], { stdio: "inherit" });
// A terminal sends its signals to both; others send theirs to this process alone.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
process.on("SIGINT", () => {});
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

/** @returns {string} */
function nodeBinary() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= 24) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve("node/bin/node");
  } catch {
    console.error(
      `Node 24 or newer is needed; this is ${process.versions.node}, and the package "node" is not installed.`,
    );
    process.exit(1);
  }
}
