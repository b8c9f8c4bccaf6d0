/** A resource of a template. */
export type TemplateResource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly Metadata?: Readonly<Record<string, unknown>>;
};
export type Template = {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
};

/** What intrinsic functions refer to. */
export type References = {
  readonly ref: (id: string) => Promise<unknown>;
  readonly attribute: (id: string, name: string) => Promise<unknown>;
  readonly imported: (name: string) => unknown;
};

/** A value of a template as CloudFormation passes it on. */
export async function resolved(value: unknown, references: References): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => resolved(one, references)));
  if (typeof value !== "object" || value === null) return value;
  const [[name = "", argument] = [], ...others] = Object.entries(value);
  if (others.length === 0 && (name === "Ref" || name.startsWith("Fn::")))
    return call(name, argument, references);
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, one]) => [key, await resolved(one, references)] as const),
  );
  return Object.fromEntries(entries);
}

async function call(name: string, argument: unknown, references: References): Promise<unknown> {
  if (name === "Ref") return references.ref(String(argument));
  if (name === "Fn::GetAtt") {
    const [id = "", ...attribute] = Array.isArray(argument) ? argument : String(argument).split(".");
    return references.attribute(String(id), attribute.join("."));
  }
  const given = await resolved(argument, references);
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const [first, second] = list;
  switch (name) {
    case "Fn::Sub":
      return substituted(String(given), references);
    case "Fn::ImportValue":
      return references.imported(String(given));
    case "Fn::Join":
      return Array.isArray(second) ? second.map(String).join(String(first)) : "";
    case "Fn::Select":
      return Array.isArray(second) ? second[Number(first)] : undefined;
    case "Fn::Split":
      return String(second).split(String(first));
    default:
      throw new Error(`${name} is not known to the rehearsal`);
  }
}

async function substituted(text: string, { ref, attribute }: References): Promise<string> {
  const parts = await Promise.all(
    text.split(/(\$\{[^}]+\})/).map((part) => {
      const [, name] = /^\$\{([^}]+)\}$/.exec(part) ?? [];
      if (name === undefined) return part;
      const [id = "", ...path] = name.split(".");
      return path.length > 0 ? attribute(id, path.join(".")) : ref(id);
    }),
  );
  return parts.join("");
}

/** What a resource needs before it: those that it names, and those that it says. */
function needsOf(id: string, { Properties, DependsOn = [] }: TemplateResource): readonly string[] {
  const found = new Set([DependsOn].flat());
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key === "Ref") found.add(String(one));
      if (key === "Fn::GetAtt") found.add(String(Array.isArray(one) ? one[0] : one).split(".")[0] ?? "");
      visit(one);
    }
  };
  visit(Properties);
  found.delete(id);
  return [...found];
}

/** The resources in an order in which each comes after what it needs. @throws Error on a circle */
export function inOrder({ Resources }: Template): readonly string[] {
  const ordered = new Set<string>();
  const visit = (id: string, above: readonly string[]): void => {
    const resource = Resources[id];
    if (!resource || ordered.has(id)) return;
    if (above.includes(id)) throw new Error(`resources need each other: ${[...above, id].join(" → ")}`);
    for (const needed of needsOf(id, resource)) visit(needed, [...above, id]);
    ordered.add(id);
  };
  for (const id of Object.keys(Resources)) visit(id, []);
  return [...ordered];
}
