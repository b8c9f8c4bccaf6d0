import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Accepts findings of the template checks on one construct, next to the code that creates it. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}
