// Generated from the route table by `npm run routes`; do not edit.
export { createComponent } from "./create-component.ts";
export { getComponent } from "./get-component.ts";
export { listComponents } from "./list-components.ts";
export { removeComponent } from "./remove-component.ts";
export { restoreComponent } from "./restore-component.ts";
export { getSkill } from "./skills/get-skill.ts";
export { listSkills } from "./skills/list-skills.ts";
export { updateComponent } from "./update-component.ts";
export { checkConfigVersion } from "./versions/check-config-version.ts";
export { createConfigVersion } from "./versions/create-config-version.ts";
export { getConfigVersion } from "./versions/get-config-version.ts";
export { getCurrentConfigVersion } from "./versions/get-current-config-version.ts";
export { listConfigVersions } from "./versions/list-config-versions.ts";
export { removeConfigVersion } from "./versions/remove-config-version.ts";
export { setCurrentConfigVersion } from "./versions/set-current-config-version.ts";
export { updateConfigVersion } from "./versions/update-config-version.ts";
