/**
 * The name under which projects install and import the package. It has a scope, so that others cannot publish under it.
 * `npm run package:rename -- @scope/name` changes it everywhere.
 */
export const PACKAGE_NAME = "@agentplatform/core";

/** What `npm create @scope` installs: it writes a project, and has no dependencies. */
export const CREATE_NAME = `${PACKAGE_NAME.split("/")[0]}/create`;
