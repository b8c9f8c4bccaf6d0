#!/usr/bin/env node
// Whatever Node the user has reads this; it starts the one that the platform runs in.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeBinary } from "../node-binary.js";

const main = fileURLToPath(new URL("./main.js", import.meta.url));
// Node lets the young generation grow to 32 MB, which a platform at rest would keep.
// A debugger stops functions, which are threads of that Node: it has to be given the flag.
const [inspect] = process.argv.flatMap((one) => /^--inspect(=.+)?$/.exec(one)?.[0] ?? []);
const flags = ["--max-semi-space-size=4", ...(inspect === undefined ? [] : [inspect])];
const child = spawn(nodeBinary(), [...flags, main, ...process.argv.slice(2)], {
  // With the channel it learns that this process is gone, however it went.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
});
// A terminal sends its signals to both; others send theirs to this process alone.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
process.on("SIGINT", () => {});
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
