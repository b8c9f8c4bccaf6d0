import { ServiceError } from "../../shared/errors.ts";
import type { ComponentsDeps } from "./components-deps.ts";

/**
 * Refuses an id that code declares, of whichever type: what is stored under it would never run, and by some doors an id
 * is given without its type.
 *
 * @throws ServiceError CONFLICT
 */
export function requireUndeclared({ codeDefined }: Pick<ComponentsDeps, "codeDefined">, id: string): void {
  const declared = codeDefined.find((one) => one.id === id);
  if (!declared) return;
  throw new ServiceError(
    "CONFLICT",
    `${id} is the id of ${article(declared.type)} of this deployment; choose another`,
  );
}

const article = (type: string): string => (type === "agent" ? `an ${type}` : `a ${type}`);
