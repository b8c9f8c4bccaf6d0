import type { Synthesized } from "./synthesized.ts";

type Resources = Readonly<Record<string, { readonly DependsOn?: string | string[] }>>;

/**
 * Resources of a template that wait for each other: CloudFormation refuses to create such a stack. Synthesis does not notice.
 *
 * @returns the ids of each circle that is found first, one for each stack that has any
 */
export function circlesIn({ stacks }: Pick<Synthesized, "stacks">): string[][] {
  return stacks.flatMap(({ template }) => {
    const resources = (template as { Resources: Resources }).Resources;
    const done = new Set<string>();
    const path: string[] = [];
    const visit = (id: string): string[] | undefined => {
      if (path.includes(id)) return path.slice(path.indexOf(id));
      if (done.has(id)) return undefined;
      path.push(id);
      for (const next of neededBy(resources[id], resources)) {
        const circle = visit(next);
        if (circle) return circle;
      }
      path.pop();
      done.add(id);
      return undefined;
    };
    for (const id of Object.keys(resources)) {
      const circle = visit(id);
      if (circle) return [circle];
    }
    return [];
  });
}

/** What must be there before a resource can be made. */
function neededBy(resource: unknown, resources: Resources): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "Ref" || key === "Fn::GetAtt" || key === "DependsOn") {
        const named: unknown[] = key === "DependsOn" ? [inner].flat() : [[inner].flat()[0]];
        for (const name of named) found.add(String(name).split(".")[0] ?? "");
      } else look(inner);
    }
  };
  look(resource);
  return [...found].filter((id) => Object.hasOwn(resources, id));
}
