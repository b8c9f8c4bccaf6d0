/** Of a resource in a template what decides over its end. */
type TemplateResource = { readonly Type: string; readonly DeletionPolicy?: string | undefined };

export type StageStack = {
  /** By which the CDK selects it, such as `AgentPlatform/Service`. */
  readonly id: string;
  /** By which CloudFormation knows it. */
  readonly name: string;
  readonly resources: Readonly<Record<string, TemplateResource>>;
};

/** Resources of one type, by the names that they have in the template. */
export type Counted = { readonly type: string; readonly names: readonly string[] };

export type RemovedStack = {
  readonly id: string;
  readonly name: string;
  readonly goes: readonly Counted[];
  readonly stays: readonly Counted[];
};

export type RemovalPlan = {
  /** In the order in which they are removed: whatever uses another stack goes before it. */
  readonly removed: readonly RemovedStack[];
  /** Stacks that are left as they are. */
  readonly untouched: readonly { readonly name: string; readonly holds: readonly Counted[] }[];
};

/** What is removed without `--data`. */
const SERVICE = /\/Service$/;

/**
 * What a removal takes and what it leaves.
 *
 * @param stacks    of the stage, in the order in which they are deployed
 * @param withData  whether the stacks with data and users are removed, too
 */
export function removalPlan(stacks: readonly StageStack[], withData: boolean): RemovalPlan {
  const isRemoved = ({ id }: StageStack): boolean => withData || SERVICE.test(id);
  const removed = stacks.filter(isRemoved).toReversed();
  return {
    removed: removed.map(({ id, name, resources }) => ({
      id,
      name,
      goes: counted(resources, (resource) => !stays(resource)),
      stays: counted(resources, stays),
    })),
    untouched: stacks
      .filter((stack) => !isRemoved(stack))
      .map(({ name, resources }) => ({ name, holds: counted(resources, () => true) })),
  };
}

const stays = ({ DeletionPolicy = "Delete" }: TemplateResource): boolean =>
  DeletionPolicy.startsWith("Retain");

function counted(
  resources: StageStack["resources"],
  isCounted: (resource: TemplateResource) => boolean,
): Counted[] {
  const byType = Map.groupBy(
    Object.entries(resources).filter(([, resource]) => isCounted(resource)),
    ([, { Type }]) => Type,
  );
  return [...byType]
    .map(([type, found]) => ({ type, names: found.map(([id]) => withoutHash(id)).sort() }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** The CDK ends most ids in eight digits of a checksum. */
const withoutHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");
