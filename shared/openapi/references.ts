/** A reference to a component, and the name in one. */
export const pointerTo = (name: string): string => `#/components/schemas/${name}`;
export const nameIn = (reference: string): string => reference.split("/").at(-1) ?? "";
