import { ServiceError } from "../../shared/errors.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import type { ComponentsDeps } from "./components-deps.ts";

/**
 * Refuses an id that code declares, of whichever type: what is stored under it would never run, and at some entry points an id
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

/**
 * Refuses to change or remove what code declares, with the way to do it. What is stored under such an id, from before
 * it was declared, may be changed and removed.
 *
 * @throws ServiceError CONFLICT
 */
export function refuseDeclared(
  { codeDefined }: Pick<ComponentsDeps, "codeDefined">,
  seen: ComponentRecord | undefined,
  id: string,
  type: ComponentType | undefined,
): void {
  const declared = codeDefined.find((one) => one.id === id && (type === undefined || one.type === type));
  if (seen || !declared) return;
  throw new ServiceError(
    "CONFLICT",
    `${declared.type} ${id} is declared in code: change or remove it in registry/ and deploy that`,
  );
}

const article = (type: string): string => (type === "agent" ? `an ${type}` : `a ${type}`);
