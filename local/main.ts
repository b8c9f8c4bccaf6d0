import { enableCompileCache } from "node:module";

/** `npm start`: the platform on this machine. `npm run dev` adds `--watch`. */
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(`Node 24 or newer is needed; this is ${process.versions.node}. "npm start" brings its own.`);
  process.exit(1);
}
const { compileCache } = await import("./cache-folders.ts");
enableCompileCache(compileCache);
const { serveLocally } = await import("./serve-locally.ts");
await serveLocally(process.env, { watch: process.argv.includes("--watch") });
