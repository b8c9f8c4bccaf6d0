/**
 * What is built, and where: all that can be known of a project without the bundler, which `bundles/index.ts` loads. Synthesis and
 * the construct read this.
 */
export { functionNames } from "./project/function-names.ts";
export { isExplainedByMessage } from "./project/is-explained-by-message.ts";
export { type Project, type ProjectOptions, projectOf } from "./project/project.ts";
export { readManifest } from "./project/read-manifest.ts";
export { registryArgument } from "./project/registry-argument.ts";
