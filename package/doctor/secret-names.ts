import type { AppConfig } from "../../lib/config/config.ts";

/** Every secret of Secrets Manager that the settings name, once: a member that ends in `secret` holds a name or an ARN. */
export function secretNames({ environment, ...settings }: AppConfig): readonly string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === "string" && /secret$/i.test(name)) found.add(member);
      else collect(member);
    }
  };
  collect(settings);
  return [...found];
}
