import { decodedText } from "./text-encoding.ts";

export type Attributes = Readonly<Record<string, string>>;

/** What happens in a document, with names of elements as they are without their prefix. */
export type XmlEvents = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/**
 * Reads XML element by element; nothing of it is kept. Entities of its own are not resolved, so none can grow.
 *
 * @param bytes  of the document; what is malformed is read as far as it goes
 */
export async function parseXml(bytes: Uint8Array, { open, close, text }: XmlEvents): Promise<void> {
  const { Parser } = await import("htmlparser2");
  const parser = new Parser(
    {
      ...(open && { onopentag: (name: string, attributes: Attributes) => open(localName(name), attributes) }),
      ...(close && { onclosetag: (name: string) => close(localName(name)) }),
      ...(text && { ontext: text }),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(await decodedText(bytes));
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Targets of a part of an Office document by their ids. @source ECMA-376 part 2, section 9: relationships */
export async function relationsOf(
  bytes: Uint8Array,
): Promise<ReadonlyMap<string, { target: string; type: string }>> {
  const relations = new Map<string, { target: string; type: string }>();
  await parseXml(bytes, {
    open: (name, { Id, Target, Type = "", TargetMode }) => {
      if (name !== "Relationship" || Id === undefined || Target === undefined || TargetMode === "External")
        return;
      relations.set(Id, { target: Target, type: Type.split("/").at(-1) ?? "" });
    },
  });
  return relations;
}

/** A path within an archive that another part of it names. @param base path of that part */
export function pathFrom(base: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const parts = base.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
