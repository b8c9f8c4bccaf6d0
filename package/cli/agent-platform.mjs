#!/usr/bin/env node
// Whatever Node the user has reads this; it starts the one that the platform runs in.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeBinary } from "../node-binary.js";

const [, , command, ...args] = process.argv;
// A new project brings the Node that it needs, so these have to run in an older one.
if (command === "new" || command === "init") await makeProject();
else runPlatform();

function runPlatform() {
  const main = fileURLToPath(new URL("./main.js", import.meta.url));
  // A debugger stops functions, which are threads of that Node: it has to be given the flag.
  const [inspect] = args.flatMap((one) => /^--inspect(=.+)?$/.exec(one)?.[0] ?? []);
  // Node lets the young generation grow to 32 MB, which a platform at rest would keep.
  const flags = ["--max-semi-space-size=4", ...(inspect === undefined ? [] : [inspect])];
  const child = spawn(usableNode(), [...flags, main, ...process.argv.slice(2)], {
    // With the channel it learns that this process is gone, however it went.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends its signals to both; others send theirs to this process alone.
  // Windows has none: there the child learns that it is left, and ends as it should.
  const end = (signal) => (process.platform === "win32" ? child.disconnect() : child.kill(signal));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, end);
  process.on("SIGINT", () => {});
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** A sentence in place of a stack where there is no Node for the platform. */
function usableNode() {
  try {
    return nodeBinary();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

async function makeProject() {
  const { create } = await import("../create/main.js");
  try {
    await create([...args, ...(command === "init" ? ["--init"] : []), "--no-install"], false);
  } catch (error) {
    const isUsers = error instanceof Error && error.name === "CreateError";
    console.error(isUsers ? error.message : error);
    process.exitCode = isUsers ? 2 : 1;
  }
}
