import { build } from "../build.ts";

/** The process of a `BundleQueue`: builds what is stale, in the order in which it is asked for, and ends. */
export type FromBundler =
  | { readonly kind: "planned"; readonly stale: readonly string[] }
  | { readonly kind: "made"; readonly name: string }
  | { readonly kind: "failed"; readonly name: string; readonly reason: string };

const [root = "", ...asked] = process.argv.slice(2);
const tell = (message: FromBundler): void => void process.send?.(message);
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.on("message", (name: string) => asked.push(name));
// Whoever waited for the bundles is gone.
process.on("disconnect", () => process.exit(1));
await build({
  root,
  planned: (stale) => tell({ kind: "planned", stale }),
  next: (waiting) => asked.find((name) => waiting.has(name)),
  told: (name) => tell({ kind: "made", name }),
  failed: (name, error) => tell({ kind: "failed", name, reason: reasonOf(error) }),
});
process.removeAllListeners("disconnect");
process.disconnect();
