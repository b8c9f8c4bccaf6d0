import { stop } from "esbuild";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { build } from "./build.ts";

/** What the process of a `BundleQueue` reports: it builds what is stale, in the order of the requests, and ends. */
export type BundlerReport =
  | { readonly kind: "described"; readonly manifest: RegistryManifest }
  | { readonly kind: "planned"; readonly stale: readonly string[] }
  | { readonly kind: "bundled"; readonly name: string }
  | { readonly kind: "failed"; readonly name: string; readonly reason: string }
  /** Nothing is built; such as where the registry cannot be loaded. */
  | { readonly kind: "given-up"; readonly reason: string };

const [root = "", registry = "", ...requested] = process.argv.slice(2);
const report = (message: BundlerReport): void => void process.send?.(message);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.on("message", (name: string) => requested.push(name));
/** What is left of the bundler, alone in the midst of its work, takes that for a deadlock and prints all that it was at. */
const leave = async (): Promise<never> => {
  await stop();
  process.exit(1);
};
// The process that waited for the bundles is gone, or wants no more of them.
for (const reason of ["disconnect", "SIGTERM", "SIGINT"]) process.on(reason, leave);
try {
  await build({
    root,
    registry,
    linked: true,
    onDescribed: (manifest) => report({ kind: "described", manifest }),
    onPlanned: (stale) => report({ kind: "planned", stale }),
    next: (waiting) => requested.find((name) => waiting.has(name)),
    onBundled: (name) => report({ kind: "bundled", name }),
    onFailed: (name, error) => report({ kind: "failed", name, reason: reasonOf(error) }),
  });
} catch (error) {
  report({ kind: "given-up", reason: reasonOf(error) });
}
process.off("disconnect", leave);
process.disconnect();
