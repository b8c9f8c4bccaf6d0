import { transact } from "../../data/transact.ts";
import type { ComponentChange } from "../../domain/components/component-change.ts";
import { requireStorable } from "../../domain/components/require-storable.ts";
import { ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { type ComponentParts, changeParts, refusalOf } from "./change-parts.ts";
import { getComponent } from "./get-component.ts";

/** A decision about a component. Without a change the component stays as it is. */
export type Decided = {
  readonly change: ComponentChange | undefined;
  /** Writes the parts together with others; absent for a transaction of their own. */
  readonly commit?: Commit | undefined;
};
export type Commit = (
  parts: ComponentParts,
) => Promise<
  { readonly written: true } | { readonly written: false; readonly refused: keyof ComponentParts }
>;

/**
 * Changes a component, its versions and their references in one transaction. It is guarded by the revision that the
 * decision was made on, and by those of the components that it relied on: after a lost race the decision is repeated.
 *
 * @param decide  called again after a lost race; refuses by throwing
 * @returns       the component as it is now; undefined when there is none and none was created
 * @throws ServiceError as decided; BAD_REQUEST for a label that is taken, CONFLICT for what other components link to
 */
export async function changeComponent(
  db: Db,
  id: string,
  decide: (component: ComponentRecord | undefined) => Promise<Decided>,
): Promise<{ component: ComponentRecord | undefined; change: ComponentChange | undefined }> {
  const tryOnce = async () => {
    const seen = await getComponent(db, id);
    const { change, commit = (parts) => transact(db, parts) } = await decide(seen);
    if (!change) return { component: seen, change };
    const component = { ...change.component, revision: (seen?.revision ?? 0) + 1 };
    requireStorable(component);
    const result = await commit(changeParts(seen, { ...change, component }));
    if (result.written) return { component, change };
    const refusal = refusalOf(change, result.refused);
    if (refusal) throw refusal;
    return undefined;
  };
  const others = `component ${id} is being changed by others again and again; try once more`;
  return retryUntilWritten(tryOnce, () => new ServiceError("CONFLICT", others));
}
