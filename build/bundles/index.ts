/** Makes the bundles of a project, and the description of its registry. It loads the bundler; what needs none is in `../index.ts`. */
export { currentManifest, describeRegistry } from "../registry/describe-registry.ts";
export { type Built, build, ensureBuilt, ensureDescribed, orExplain, recordOf } from "./build.ts";
export { type BuildRecord, buildRecord, isCurrent } from "./build-record.ts";
export { bundleFunction, writeBundle } from "./bundle-function.ts";
export type { WrittenFile } from "./bundle-page.ts";
export { bundleQueue } from "./bundle-queue.ts";
export { describeLargeBundles, largeBundles } from "./large-bundles.ts";
export { lendOpen, storeFiles } from "./lent-files.ts";
export { importsRegistry, type Linking, linking } from "./linked-bundle.ts";
export { type SourceState, sourceState } from "./source-state.ts";
