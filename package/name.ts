/**
 * The name under which projects install and import the package. It has a scope, so that others cannot publish under it.
 * `npm run package:rename -- @scope/name` changes it everywhere.
 */
export const PACKAGE_NAME = "@agentplatform/core";
