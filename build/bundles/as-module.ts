/** The source of a module that exports the members of an object. */
export const asModule = (data: object): string =>
  Object.entries(data)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
