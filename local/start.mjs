// Plain JavaScript with nothing but Node's own modules: whatever Node there is reads it, and can be told what is missing.
import { existsSync } from "node:fs";
import { join } from "node:path";

const [major = 0] = process.versions.node.split(".").map(Number);
if (!existsSync(join(import.meta.dirname ?? "", "..", "node_modules", "esbuild"))) {
  stop('The packages are not installed. Run "npm ci" first; it brings the Node that is needed.');
}
if (major < 24) {
  stop(
    `Node 24 or newer is needed; this is ${process.versions.node}. "npm start" and "npm run dev" use the project's own.`,
  );
}
// Before the first TypeScript file, so that none has its types stripped again. The folder is that of cache-folders.ts.
const { enableCompileCache } = await import("node:module");
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/agent-platform/compiled"));
await import("./main.ts");

/** @param {string} why */
function stop(why) {
  console.error(why);
  process.exit(1);
}
