/**
 * Where the process that describes a registry puts what takes note of declarations. Elsewhere it is not set, and a
 * declaration costs nothing.
 */
export const DECLARED = Symbol.for("agent-platform.declared");

/** Reports something that was declared, while the call that declared it is still on the stack. @returns it */
export function noteDeclaration<T extends object>(declared: T): T {
  const note: unknown = Reflect.get(globalThis, DECLARED);
  if (typeof note === "function") note(declared);
  return declared;
}
