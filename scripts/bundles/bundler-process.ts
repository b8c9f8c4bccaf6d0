import { build } from "../build.ts";

/** What the process of a `BundleQueue` reports: it builds what is stale, in the order of the requests, and ends. */
export type BundlerReport =
  | { readonly kind: "planned"; readonly stale: readonly string[] }
  | { readonly kind: "bundled"; readonly name: string }
  | { readonly kind: "failed"; readonly name: string; readonly reason: string };

const [root = "", ...requested] = process.argv.slice(2);
const report = (message: BundlerReport): void => void process.send?.(message);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.on("message", (name: string) => requested.push(name));
// The process that waited for the bundles is gone.
process.on("disconnect", () => process.exit(1));
await build({
  root,
  onPlanned: (stale) => report({ kind: "planned", stale }),
  next: (waiting) => requested.find((name) => waiting.has(name)),
  onBundled: (name) => report({ kind: "bundled", name }),
  onFailed: (name, error) => report({ kind: "failed", name, reason: reasonOf(error) }),
});
process.removeAllListeners("disconnect");
process.disconnect();
