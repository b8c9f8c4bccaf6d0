import { ServiceError } from "../../errors.ts";
import type { UpdateComponentBody } from "../../schemas/components/component-bodies.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";

/**
 * The component with another name, description or metadata; what is missing or null stays.
 *
 * @returns undefined when nothing is to be changed
 * @throws ServiceError BAD_REQUEST for another type: a component keeps its type
 */
export function planDetails(
  component: ComponentRecord,
  { name, description, metadata, component_type }: UpdateComponentBody,
  now: number,
): ComponentRecord | undefined {
  if (component_type != null && component_type !== component.component_type) {
    throw new ServiceError("BAD_REQUEST", `a component stays what it is: ${component.component_type}`);
  }
  if (name == null && description == null && metadata == null) return undefined;
  return {
    ...component,
    ...(name != null && { name }),
    ...(description != null && { description }),
    ...(metadata != null && { metadata }),
    updated_at: now,
  };
}
