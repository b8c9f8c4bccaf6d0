import type { Skill } from "./skill.ts";

/*
 * The build puts what it has found below the registry's `skills/` in the place of this module, and the texts in that of
 * `skill-texts.ts`, so that neither is read from a disk when a run needs it.
 */

/** Every skill below the registry's `skills/`, sorted by folder. */
export const foundSkills: readonly Skill[] = [];
