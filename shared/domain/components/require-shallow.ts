import { ServiceError } from "../../errors.ts";

const MAX_DEPTH = 64;

/**
 * Refuses a value that is nested so deep that recursion over it would exhaust the stack.
 *
 * @throws ServiceError BAD_REQUEST
 */
export function requireShallow(what: string, value: unknown, depth = 0): void {
  if (value === null || typeof value !== "object") return;
  if (depth >= MAX_DEPTH)
    throw new ServiceError("BAD_REQUEST", `${what} may be nested ${MAX_DEPTH} levels deep`);
  for (const inner of Object.values(value)) requireShallow(what, inner, depth + 1);
}
