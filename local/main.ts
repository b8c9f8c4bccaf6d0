import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** `npm start`: the platform on this machine. */
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(`Node 24 or newer is needed; this is ${process.versions.node}. "npm start" brings its own.`);
  process.exit(1);
}
enableCompileCache(join(process.env.DATA_DIR || ".local", "compile-cache"));
const { serveLocally } = await import("./serve-locally.ts");
await serveLocally(process.env);
