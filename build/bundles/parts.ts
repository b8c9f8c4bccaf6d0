import type { Plugin } from "esbuild";
import { PACKAGE_IMPORT, REGISTRY_IMPORT } from "../project/project.ts";

/*
 * A bundle of a function that executes a registry comes in two parts, where a project starts on a laptop: the platform's, with its
 * packages, which the package brings ready made ("open"), and the project's own. They are linked by the names of files:
 *
 *   index.mjs ─→ registry.mjs ─→ core.mjs      what the registry declares its agents with
 *           └─→ skills.mjs, skill-texts.mjs
 *
 * What is deployed is one bundle: it leaves out what the project does not use of the platform, and has each package once.
 */

/** The function itself, in its folder. */
export const HEAD = "index.mjs";
/** The project's registry; a linked bundle has it under a name with a digest. */
export const REGISTRY_PART = "registry.mjs";
/** What `@agentplatform/core` is in a linked bundle: an entry of the open one, without the extension. */
export const CORE_ENTRY = "core";
export const SKILLS_PART = "skills.mjs";
export const SKILL_TEXTS = "skill-texts.mjs";

const outside = (file: string) => () => ({ path: `./${file}`, external: true });

/** Leaves the project's own part out of a function's bundle. */
export const withoutOwnPart: Plugin = {
  name: "without-own-part",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${REGISTRY_IMPORT}$`) }, outside(REGISTRY_PART));
    onResolve({ filter: /^\.\/declared-skills\.[jt]s$/ }, outside(SKILLS_PART));
    onResolve({ filter: /^\.\/skill-texts\.[jt]s$/ }, outside(SKILL_TEXTS));
  },
};

/** Leaves the platform out of the project's own part. */
export const withoutPlatform: Plugin = {
  name: "without-platform",
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${PACKAGE_IMPORT}$`) }, outside(`${CORE_ENTRY}.mjs`));
  },
};
