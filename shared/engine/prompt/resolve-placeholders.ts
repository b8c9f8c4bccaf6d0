const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

/**
 * Puts values in the place of their names: `{city}` becomes what `city` holds. A name that nobody knows stays as it
 * is, because braces have other uses too.
 *
 * @param sources  searched in this order
 */
export function resolvePlaceholders(
  text: string,
  ...sources: readonly Readonly<Record<string, unknown>>[]
): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
    if (value === undefined) return placeholder;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
