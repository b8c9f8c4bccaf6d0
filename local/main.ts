import { enableCompileCache } from "node:module";
import { registryArgument } from "../build/index.ts";
import { compileCache } from "./cache-folders.ts";
import "./machine/light-http.ts";

/** `npm start`: the platform on this machine. `npm run dev` adds `--watch`, and `--registry <file>` names another registry. */
enableCompileCache(compileCache);
const { serveLocally } = await import("./serve-locally.ts");
await serveLocally(process.env, {
  watch: process.argv.includes("--watch"),
  registry: registryArgument(process.argv),
});
