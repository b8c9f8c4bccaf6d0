import { findingLines } from "./invariants.ts";
import { drillRestore } from "./restore-drill.ts";

/**
 * Restores a platform of this machine to an instant in the middle of its runs, and checks what must hold after it. Ends with 1
 * where something does not. `npm run drill:restore [-- <runs>]`, 5,000 when left out.
 */
const count = Number(process.argv[2] ?? 5_000);
const { findings, liveThen, seconds } = await drillRestore(count, console.log);
console.log(findingLines(findings).join("\n"));
console.log(
  `${count} runs in ${seconds.work.toFixed(0)} s, ${liveThen} live at the instant; restored in ${seconds.restore.toFixed(0)} s`,
);
if (findings.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
