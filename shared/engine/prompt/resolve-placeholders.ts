const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

/**
 * Replaces placeholders by values: `{city}` becomes the value of `city`. An unknown name stays as it is, because braces
 * have other uses too.
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
