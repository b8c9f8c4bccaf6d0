import { accessRows } from "../access-rows.ts";
import type { Family } from "../index.ts";
import type { AccessRow } from "../route.ts";
import { createMatcher } from "./matcher.ts";

/**
 * Finds the operation that a request is for, over all families.
 *
 * @returns the operation with its path parameters; the allowed methods when only the method is wrong; undefined
 *   when the path is unknown
 */
export const matchRoute = createMatcher<Family, AccessRow>(accessRows);
